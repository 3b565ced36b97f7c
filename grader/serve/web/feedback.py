"""The feedback pages: on an address that nobody guesses, for whom they are about, and in a sandbox.

They are made of what students handed in. So they are their own origin, whatever is in them: no cookie, no
form and no page of this site is in their reach.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from grader.batch.report.grades_table import NAME as TABLE
from grader.feedback import render_html
from grader.grading.pipeline import FEEDBACK, STAFF_PAGE
from grader.intake.files import read_regular
from grader.serve.store import attempts, people
from grader.serve.web.headers import SANDBOX
from grader.serve.web.shown import results_of
from grader.serve.web.student import own_attempt
from grader.serve.web.visits import Visit

_IN_BOX: Final = {"Content-Security-Policy": SANDBOX, "Cross-Origin-Opener-Policy": "unsafe-none"}
"""Browsers refuse a page that is in a box and has an opener policy."""
_MOST_BYTES: Final = 64 * 1024 * 1024
_OF_CLASS: Final = re.compile(r"index\.html|alike/[0-9]+\.html|[^/\0]+/(feedback|staff)\.html")


def feedback(visit: Visit) -> Response:
    """What a student may see of an own attempt, in the student's language."""
    attempt = own_attempt(visit, visit.request.path_params["attempt"])
    results = results_of(visit.site, visit.who, attempt, visit.now)
    if results is None:
        raise HTTPException(404, "missing")
    return in_box(render_html(results, language=visit.language))


def staff_feedback(visit: Visit) -> Response:
    """The pages of an attempt as they are on the disk, for staff of its course."""
    attempt = attempts.get(visit.site.store, visit.request.path_params["attempt"])
    owner = people.get(visit.site.store, attempt.person) if attempt else None
    if attempt is None or owner is None or owner.course != visit.who.course:
        raise HTTPException(404, "missing")
    name = STAFF_PAGE if visit.request.path_params["page"] == "staff" else FEEDBACK
    return _file(visit.site.data.attempt(attempt.id) / name)


def class_file(visit: Visit) -> Response:
    """A page of the class folder, as ``grader batch`` leaves it there, or the table that it links to."""
    path = visit.request.path_params["path"]
    folder = visit.site.data.course(visit.who.course)
    if path == TABLE and (folder / TABLE).is_file():
        headers = {"Content-Disposition": f'attachment; filename="{TABLE}"'}
        return Response((folder / TABLE).read_bytes(), media_type="text/csv; charset=utf-8", headers=headers)
    if not _OF_CLASS.fullmatch(path) or ".." in path.split("/"):
        raise HTTPException(404, "missing")
    return _file(folder / path)


def in_box(page: str | bytes) -> HTMLResponse:
    """A page that is its own origin."""
    return HTMLResponse(page, headers=_IN_BOX)


def _file(path: Path) -> Response:
    try:
        return in_box(read_regular(path, _MOST_BYTES, follow=False))
    except OSError:
        raise HTTPException(404, "missing") from None
