"""The API for ``maze submit``: hand in with a token, and ask for the state of an attempt."""

from __future__ import annotations

from tempfile import SpooledTemporaryFile
from typing import IO, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from grader.feedback import sentences
from grader.feedback.page import find_first_check
from grader.languages import DEFAULT, catalogue
from grader.serve.store import attempts, credentials, people
from grader.serve.store.attempts import Attempt
from grader.serve.store.people import Person
from grader.serve.web.progress_texts import describe_progress, load_attempt_states
from grader.serve.web.rate_limits import client_address
from grader.serve.web.site import Site
from grader.serve.web.upload_form import UploadRejected, accept_upload, check_upload_rate
from grader.serve.web.visible_results import translated_page, visible_results

_ARCHIVE = "submission.zip"
_IN_MEMORY = 1024 * 1024
"""An incoming upload is kept in memory up to 1 MiB, and on the disk beyond that."""


class _Refused(Exception):  # noqa: N818 - named after what happened
    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


async def submit(request: Request) -> Response:
    """Accept a zip, which is the body; answer with the attempt once it is on the disk."""
    site: Site = request.app.state.site
    try:
        person = await run_in_threadpool(_authenticate, request, uploads=True)
        with site.rates.uploading.hold(str(person.id)) as may, SpooledTemporaryFile(_IN_MEMORY) as body:
            if not may:
                raise _as_refusal(UploadRejected("hand_in.too_often", 429))
            async for piece in request.stream():
                await run_in_threadpool(body.write, piece)
            return await run_in_threadpool(_store_body, request, person, body)
    except _Refused as refused:
        return JSONResponse({"error": refused.why}, refused.status)


async def show_attempt(request: Request) -> Response:
    """Answer with the state of an attempt."""
    try:
        return await run_in_threadpool(_answer_attempt, request)
    except _Refused as refused:
        return JSONResponse({"error": refused.why}, refused.status)


def _authenticate(request: Request, *, uploads: bool = False) -> Person:
    """Return the owner of a request's token, and check the rate of uploads. Raises _Refused."""
    site: Site = request.app.state.site
    now, kind, token = site.clock(), *request.headers.get("authorization", "").partition(" ")[::2]
    number = credentials.find_owner(site.store, token.strip(), now) if kind.lower() == "bearer" else None
    person = people.get(site.store, number) if number is not None else None
    if person is None or person.course not in site.courses:
        raise _wrong_token(site, request, token, now)
    if uploads:
        _check_rate(site, person, now)
    return person


def _wrong_token(site: Site, request: Request, token: str, now: float) -> _Refused:
    """Return the refusal of an invalid token.

    The limit on wrong tokens from an address never affects valid ones, since a whole campus may share one
    address. A program that repeats the same wrong token is not guessing, and has a limit of its own.
    """
    if not site.rates.stale.allows(credentials.digest(token), now):
        return _Refused(429, "this token was deleted, or never was one: make another one on your page")
    if not site.rates.guesses.allows(client_address(request), now):
        return _Refused(
            429, "too many wrong tokens came from your address: wait a minute, and see whether yours is right"
        )
    return _Refused(401, "expected a token that you made on your page: it may have been deleted")


def _check_rate(site: Site, person: Person, now: float) -> None:
    try:
        check_upload_rate(site, person, now)
    except UploadRejected as refused:
        raise _as_refusal(refused) from None


def _store_body(request: Request, person: Person, body: IO[bytes]) -> Response:
    site: Site = request.app.state.site
    body.seek(0)
    content = body.read()
    files = [(_ARCHIVE, content)] if content else []
    try:
        found = accept_upload(site, person, files, site.clock())
    except UploadRejected as refused:
        raise _as_refusal(refused) from None
    return JSONResponse(_attempt_data(request, person, found), 201)


def _answer_attempt(request: Request) -> Response:
    site, person = request.app.state.site, _authenticate(request)
    found = attempts.get(site.store, request.path_params["attempt"])
    if found is None or found.person != person.id:
        raise _Refused(404, "expected an attempt of yours")
    return JSONResponse(_attempt_data(request, person, found))


def _attempt_data(request: Request, person: Person, found: Attempt) -> dict[str, Any]:
    """Return an attempt as data for programs."""
    site: Site = request.app.state.site
    now, t = site.clock(), catalogue(DEFAULT)
    standing = load_attempt_states(site.store, [found.id])[found.id]
    results = visible_results(site, person, found, now)
    address = site.address(request)
    data: dict[str, Any] = {
        "attempt": found.id,
        "number": found.number,
        "state": found.state,
        "page": f"{address}/attempts/{found.id}",
        "told": describe_progress(standing, site.courses[person.course], t).sentence,
    }
    if results is not None:
        page = translated_page(results, t)
        causes = sentences.first_causes(page, find_first_check(page), t)
        data |= {"score": results["score"], "max_score": results["max_score"], "causes": causes}
    return data


def _as_refusal(refused: UploadRejected) -> _Refused:
    return _Refused(refused.status, refused.reason_in(catalogue(DEFAULT)))
