"""The feedback pages: at unguessable URLs, only for the people concerned, and in a browser sandbox.

They contain what students handed in. So each is an origin of its own, which cannot reach the cookies, forms
and pages of this site, whatever it contains.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from grader.batch.report.plots import NAMES as PLOTS
from grader.exports.grades_csv import NAME as TABLE
from grader.feedback import render_html
from grader.grading.pipeline import FEEDBACK, STAFF_PAGE
from grader.intake.files import read_regular
from grader.serve.web.response_headers import SANDBOX
from grader.serve.web.staff.pages import find_attempt
from grader.serve.web.student_pages import find_own_attempt
from grader.serve.web.visible_results import visible_results
from grader.serve.web.visits import Visit

_SANDBOX_HEADERS: Final = {"Content-Security-Policy": SANDBOX, "Cross-Origin-Opener-Policy": "unsafe-none"}
"""Sandboxed pages have these headers; browsers reject one that also has an opener policy."""
_MOST_BYTES: Final = 64 * 1024 * 1024
"""A page may have at most 64 MiB."""
_DOWNLOADS: Final = (TABLE, *PLOTS)
"""These files of the class folder are downloaded."""
_MEDIA_TYPES: Final = {".csv": "text/csv; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png"}
_CLASS_PAGES: Final = re.compile(r"index\.html|alike/[0-9]+\.html|[^/\0]+/(feedback|staff)\.html")


def feedback_page(visit: Visit) -> Response:
    """Answer with what a student may see of an attempt, in the student's language."""
    attempt = find_own_attempt(visit, visit.request.path_params["attempt"])
    results = visible_results(visit.site, visit.who, attempt, visit.now)
    if results is None:
        raise HTTPException(404, "missing")
    return sandboxed(render_html(results, language=visit.language))


def staff_feedback_page(visit: Visit) -> Response:
    """Answer with a page of an attempt as it is on the disk, for staff of its course."""
    attempt, _ = find_attempt(visit)
    name = STAFF_PAGE if visit.request.path_params["page"] == "staff" else FEEDBACK
    return _file(visit.site.data.attempt(attempt.id) / name)


def class_page(visit: Visit) -> Response:
    """Answer with a page of the class folder, or with the table or a plot that the class page links to."""
    path = visit.request.path_params["path"]
    folder = visit.site.data.course(visit.who.course)
    if path in _DOWNLOADS and (folder / path).is_file():
        headers = {"Content-Disposition": f'attachment; filename="{path}"'}
        media_type = _MEDIA_TYPES[Path(path).suffix]
        return Response((folder / path).read_bytes(), media_type=media_type, headers=headers)
    if not _CLASS_PAGES.fullmatch(path) or ".." in path.split("/"):
        raise HTTPException(404, "missing")
    return _file(folder / path)


def sandboxed(page: str | bytes) -> HTMLResponse:
    """Return a sandboxed page, which is an origin of its own."""
    return HTMLResponse(page, headers=_SANDBOX_HEADERS)


def _file(path: Path) -> Response:
    try:
        return sandboxed(read_regular(path, _MOST_BYTES, follow=False))
    except OSError:
        raise HTTPException(404, "missing") from None
