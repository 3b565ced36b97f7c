"""The form to hand in: an upload is acknowledged only when it is on the disk and in the queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from grader.languages import Catalogue
from grader.serve import upload_check
from grader.serve.store import attempts, settings
from grader.serve.store.attempts import Attempt
from grader.serve.store.people import Person
from grader.serve.upload_storage import Conditions, hand_in
from grader.serve.web import cookies
from grader.serve.web.site import Site
from grader.serve.web.student_pages import may_hand_in, student_page
from grader.serve.web.visits import Visit, find_visit, redirect_to, texts_of
from grader.text import in_bytes

MOST_FILES: Final = 60
"""An upload may have at most 60 files."""
_MOST_PARTS: Final = 10 * MOST_FILES
"""A form with more than 600 files is not read to its end."""
_MOST_NAME: Final = 200
"""The name of a file may have at most 200 characters."""
Files = Sequence[tuple[str, bytes]]
"""The names and contents of uploaded files."""


class UploadRejected(Exception):  # noqa: N818 - named after what happened
    """An upload was rejected; the reason is a key of the catalogues, with values."""

    def __init__(self, key: str, status: int, **values: object) -> None:
        super().__init__(key)
        self.key, self.status, self.values = key, status, values

    def reason_in(self, t: Catalogue) -> str:
        """Return the reason in a language; a value may be messages."""
        values = {
            name: " ".join(map(t.say, value)) if isinstance(value, tuple) else value
            for name, value in self.values.items()
        }
        return t(f"serve.{self.key}", **values)


def accept_upload(site: Site, person: Person, files: Files, now: float) -> Attempt:
    """Store an upload and queue it as an attempt. Raises NotTaken or DiskError."""
    _check_number(files)
    if settings.get(site.store, settings.CLOSING):
        raise UploadRejected("hand_in.closing", 503)

    size, most = sum(len(content) for _, content in files), site.limits.kept_bytes

    def check() -> None:
        if not may_hand_in(site, person, now):
            raise UploadRejected("hand_in.none_left", 429)
        if attempts.count_stored_bytes(site.store, person.id) + size > most:
            raise UploadRejected("hand_in.quota", 413, most=in_bytes(most))

    def look(stored: upload_check.Files) -> None:
        added = [each.record for each in site.courses[person.course].own_exercises]
        if refused := site.look(stored, added):
            raise UploadRejected("hand_in.no_exercise", 422, reasons=refused)

    check()
    return hand_in(site.data, site.store, person.id, files, now, Conditions(look, check))


def _check_number(files: Files) -> None:
    if not files:
        raise UploadRejected("hand_in.nothing", 400)
    if len(files) > MOST_FILES:
        raise UploadRejected("hand_in.too_many", 400, most=MOST_FILES)


def check_upload_rate(site: Site, person: Person, now: float) -> None:
    """Check that a person does not upload too often. Raises NotTaken."""
    if not site.rates.uploads.allows(str(person.id), now):
        raise UploadRejected("hand_in.too_often", 429)


async def submit(request: Request) -> Response:
    """Accept the form on the student's page."""
    visit = await run_in_threadpool(_begin_upload, request)
    if isinstance(visit, Response):
        return visit
    with visit.site.rates.uploading.hold(str(visit.who.id)) as may:
        if not may:
            return await run_in_threadpool(_show_refusal, visit, UploadRejected("hand_in.too_often", 429))
        async with request.form(max_files=_MOST_PARTS, max_fields=5) as form:
            cookies.check_csrf(visit.sign_in, texts_of(form))
            came = [each for each in form.getlist("files") if isinstance(each, UploadFile) and each.filename]
            return await run_in_threadpool(_store_files, visit, came)


def _begin_upload(request: Request) -> Visit | Response:
    """Return the visit of a person who may upload, or a refusal, before any of the upload is read."""
    visit = find_visit(request)
    try:
        check_upload_rate(visit.site, visit.who, visit.now)
    except UploadRejected as refused:
        return _show_refusal(visit, refused)
    return visit


def _store_files(visit: Visit, came: Sequence[UploadFile]) -> Response:
    """Read the files into memory, in one of a few threads, and store them."""
    files = [(_file_name(each), each.file.read()) for each in came]
    try:
        attempt = accept_upload(visit.site, visit.who, files, visit.site.clock())
    except UploadRejected as refused:
        return _show_refusal(visit, refused)
    return redirect_to(f"/attempts/{attempt.id}")


def _show_refusal(visit: Visit, refused: UploadRejected) -> Response:
    return student_page(visit, status=refused.status, trouble=refused.reason_in(visit.t))


def _file_name(file: UploadFile) -> str:
    """Return the student's name for a file, without the folders that some browsers send."""
    name = (file.filename or "").replace("\\", "/").rsplit("/", 1)[-1]
    if len(name) > _MOST_NAME:
        raise HTTPException(400, "wrong")
    return name
