"""The exports of ``grader export`` as downloads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from grader.course.rubric import Rubric
from grader.errors import GraderError
from grader.exports.grades_csv import NAME
from grader.exports.registry import EXPORTS
from grader.exports.registry import ExportRequest as Export
from grader.platforms.registry import PLATFORMS
from grader.serve.web.staff.actions import log_action, run_when_free
from grader.serve.web.visits import Visit, check_access, find_visit, texts_of

_FORMS: Final = {**dict.fromkeys(PLATFORMS, ".csv"), "feedback": ".zip", "junit": ".xml"}
_TYPES: Final = {".csv": "text/csv; charset=utf-8", ".zip": "application/zip", ".xml": "application/xml"}
TABLE: Final = "grades.csv"


def export_page(visit: Visit, *, trouble: str = "") -> Response:
    """Answer with the page that lists the downloads."""
    has_class = (visit.site.data.course(visit.who.course) / NAME).is_file()
    return visit.page(
        "staff/export.html.j2",
        here="/staff/export",
        platforms=list(PLATFORMS),
        has_class=has_class,
        trouble=trouble,
    )


async def download_export(request: Request) -> Response:
    """Answer with a table or an archive."""
    visit = await run_in_threadpool(find_visit, request)
    if visit.person is None or not visit.person.is_staff:
        raise HTTPException(404, "missing")
    async with request.form(max_files=1, max_fields=10) as form:
        visit = check_access(replace(visit, form=texts_of(form)), "staff")
        book = form.get("gradebook")
        name = book.filename or "" if isinstance(book, UploadFile) else ""
        gradebook = await book.read() if isinstance(book, UploadFile) and name else b""
    return await run_in_threadpool(_answer_download, visit, gradebook, Path(name).suffix)


def _answer_download(visit: Visit, gradebook: bytes, suffix: str) -> Response:
    what = visit.form.get("what", "")
    if what != TABLE and what not in _FORMS:
        raise HTTPException(400, "wrong")
    try:
        content = run_when_free(lambda: _make_export(visit, what, gradebook, suffix))
    except (GraderError, OSError) as error:
        return export_page(visit, trouble=f"{error}")
    name = TABLE if what == TABLE else f"{visit.who.course}-{what}{_FORMS[what]}"
    log_action(visit, "export", name)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=_TYPES[Path(name).suffix], headers=headers)


def _make_export(visit: Visit, what: str, gradebook: bytes, suffix: str) -> bytes:
    """Return the content of an export. Raises InputError or DiskError."""
    results = visit.site.data.course(visit.who.course)
    if what == TABLE:
        return (results / NAME).read_bytes()
    with TemporaryDirectory(prefix="maze-grader-") as made:
        out, book = Path(made, f"out{_FORMS[what]}"), Path(made, f"gradebook{suffix[:6]}")
        book.write_bytes(gradebook)
        EXPORTS[what](_export_request(visit, what, out, results, book if gradebook else None))
        return out.read_bytes()


def _export_request(visit: Visit, what: str, out: Path, results: Path, book: Path | None) -> Export:
    def rubric() -> Rubric:
        return visit.site.courses[visit.who.course]

    is_platform = what in PLATFORMS
    assignment = visit.form.get("assignment", "").strip() or None
    refused = "zero" if visit.form.get("refused") == "zero" else "blank"
    return Export(
        what=what,
        out=out,
        results=results,
        gradebook=book if is_platform else None,
        assignment=assignment if is_platform else None,
        groups=None,
        students=None,
        key=None,
        refused=refused,
        anyway=bool(visit.form.get("anyway")),
        dry_run=False,
        rubric=rubric,
    )
