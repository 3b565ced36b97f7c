"""The forms on a student's page that make and delete tokens for ``maze submit``."""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

from grader.serve.store import tokens
from grader.serve.web.student_pages import student_page
from grader.serve.web.visits import Visit, redirect_to

_MOST: Final = 10
"""A person may have at most 10 tokens."""


def make_token(visit: Visit) -> Response:
    """Make a token, and show it this one time."""
    if len(tokens.list_for_person(visit.site.store, visit.who.id)) >= _MOST:
        raise HTTPException(400, "wrong")
    return student_page(visit, token=tokens.create(visit.site.store, visit.who.id, "", visit.now))


def delete_token(visit: Visit) -> Response:
    """Delete a token of the visitor."""
    tokens.remove(visit.site.store, visit.who.id, visit.form.get("token", ""))
    return redirect_to("/")
