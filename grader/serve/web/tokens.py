"""Tokens for ``maze submit``: made and deleted on a student's page."""

from __future__ import annotations

from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

from grader.serve.store import tokens
from grader.serve.web.student import student_page
from grader.serve.web.visits import Visit, see

_MOST: Final = 10


def make(visit: Visit) -> Response:
    """Show a new token, for the only time."""
    if len(tokens.of(visit.site.store, visit.who.id)) >= _MOST:
        raise HTTPException(400, "wrong")
    return student_page(visit, token=tokens.give(visit.site.store, visit.who.id, "", visit.now))


def delete(visit: Visit) -> Response:
    """Have a token of the visitor's be worth nothing."""
    tokens.take_back(visit.site.store, visit.who.id, visit.form.get("token", ""))
    return see("/")
