"""Answers for programs, and pages that change while an attempt is graded.

Pages get server-sent events, from one watcher of the database for all of them. The states of attempts are
read once for all pages, and only after something was written: so three hundred open pages cost little more
than one.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from grader.serve.store import attempts, credentials
from grader.serve.store.attempts import Attempt
from grader.serve.store.people import Person
from grader.serve.web.guard import client_address
from grader.serve.web.student_pages import (
    AttemptState,
    UploadRejected,
    accept_upload,
    attempt_data,
    check_upload_rate,
    describe_progress,
    find_own_attempt,
    load_attempt_states,
)
from grader.serve.web.visits import Site, Visit, check_access, find_visit

_ARCHIVE = "submission.zip"
_IN_MEMORY = 1024 * 1024
"""An incoming upload is kept in memory up to 1 MiB, and on the disk beyond that."""


class _Refused(UploadRejected):
    """A program was refused; the reason is a sentence in English, as all that programs are told."""

    def as_data(self) -> Response:
        """Return the answer to a program."""
        return JSONResponse({"error": self.key}, self.status)


async def submit(request: Request) -> Response:
    """Accept a zip, which is the body; answer with the attempt once it is on the disk."""
    site: Site = request.app.state.site
    try:
        person = await run_in_threadpool(_authenticate, request)
        check_upload_rate(site, person, site.clock())
        with site.rates.uploading.hold(str(person.id)) as may, SpooledTemporaryFile(_IN_MEMORY) as body:
            if not may:
                raise UploadRejected("hand_in.too_often", 429)
            async for piece in request.stream():
                await run_in_threadpool(body.write, piece)
            return await run_in_threadpool(_store_body, request, person, body)
    except UploadRejected as refused:
        return refused.as_data()


async def show_attempt(request: Request) -> Response:
    """Answer with the state of an attempt."""
    try:
        return await run_in_threadpool(_answer_attempt, request)
    except UploadRejected as refused:
        return refused.as_data()


def _authenticate(request: Request) -> Person:
    """Return the owner of a request's token. Raises UploadRejected."""
    site: Site = request.app.state.site
    now, kind, token = site.clock(), *request.headers.get("authorization", "").partition(" ")[::2]
    number = credentials.find_owner(site.store, token.strip(), now) if kind.lower() == "bearer" else None
    if (person := site.find_person(number)) is None:
        raise _wrong_token(site, request, token, now)
    return person


def _wrong_token(site: Site, request: Request, token: str, now: float) -> _Refused:
    """Return the refusal of an invalid token.

    The limit on wrong tokens from an address never affects valid ones, since a whole campus may share one
    address. A program that repeats the same wrong token is not guessing, and has a limit of its own.
    """
    if not site.rates.stale.allows(credentials.digest(token), now):
        return _Refused(
            "this token has ended, was deleted, or never was one: make another one on your page", 429
        )
    if not site.rates.guesses.allows(client_address(request), now):
        return _Refused(
            "too many wrong tokens came from your address: wait a minute, and see whether yours is right", 429
        )
    return _Refused("expected a token that you made on your page: it may have ended, or been deleted", 401)


def _store_body(request: Request, person: Person, body: IO[bytes]) -> Response:
    site: Site = request.app.state.site
    body.seek(0)
    content = body.read()
    files = [(_ARCHIVE, content)] if content else []
    found = accept_upload(site, person, files, site.clock())
    return JSONResponse(attempt_data(request, person, found), 201)


def _answer_attempt(request: Request) -> Response:
    site, person = request.app.state.site, _authenticate(request)
    found = attempts.get(site.store, request.path_params["attempt"])
    if found is None or found.person != person.id:
        raise _Refused("expected an attempt of yours", 404)
    return JSONResponse(attempt_data(request, person, found))


_PAUSE_SECONDS: Final = 0.3
"""The database is checked every 0.3 seconds."""
_HEARTBEAT_SECONDS: Final = 15.0
"""A stream without changes gets a sign of life every 15 seconds."""
_MOST_STREAMS: Final = 6
"""One person may have at most 6 streams open at a time."""


class ChangeWatcher:
    """Watches the database and notifies all streams; belongs to the event loop of the server."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._thread = ThreadPoolExecutor(1, "watcher")
        """One thread, and so one connection, which knows when others have written."""
        self._version: object = None
        self._written: object = None
        """The data version of the database, which changes with every write by another connection."""
        self._followed: Counter[str] = Counter()
        self._streams: Counter[int] = Counter()
        self._seen: Mapping[str, AttemptState] = {}
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def follow_attempt(self, id_: str) -> AsyncIterator[AttemptState | None]:
        """Yield the state of an attempt whenever it changes, until it has ended; None as a sign of life."""
        self._followed[id_] += 1
        last: AttemptState | None = None
        try:
            async for _ in self._changes():
                now = self._seen.get(id_)
                yield now if now != last else None
                last = now
                if last is not None and not last.attempt.is_under_way:
                    return
        finally:
            self._followed -= Counter([id_])

    async def follow_changes(self) -> AsyncIterator[bool]:
        """Yield True whenever something was written; False as a sign of life, such as the first look."""
        before = self._written
        async for _ in self._changes():
            now = self._written  # what is written while the stream is busy is reported next
            yield before is not None and now != before
            before = now

    def open_stream(self, person: int) -> None:
        """Count a new stream of a person. Raises HTTPException if there are too many."""
        if self._streams[person] >= _MOST_STREAMS:
            raise HTTPException(429, "often")
        self._streams[person] += 1

    def close_stream(self, person: int) -> None:
        """Count the end of a stream of a person."""
        self._streams -= Counter([person])

    async def close(self) -> None:
        """Stop watching."""
        if self._task is not None:
            self._task.cancel()
        self._thread.shutdown(wait=True)

    async def _changes(self) -> AsyncIterator[None]:
        """Yield at once, then after each change, and as a heartbeat if there is none for a while."""
        while True:
            waiting = self._changed
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._watch())
            yield
            try:
                async with asyncio.timeout(_HEARTBEAT_SECONDS):
                    await waiting.wait()
            except TimeoutError:
                continue

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            found = await loop.run_in_executor(self._thread, self._read_states, frozenset(self._followed))
            if found is not None:
                self._written, self._seen = found
                before, self._changed = self._changed, asyncio.Event()
                before.set()
            await asyncio.sleep(_PAUSE_SECONDS)

    def _read_states(self, followed: frozenset[str]) -> tuple[object, Mapping[str, AttemptState]] | None:
        """Return the data version and the states of attempts; None if nothing has changed."""
        written = self._site.store.value("pragma data_version")
        if (written, followed) == self._version:
            return None
        self._version = written, followed
        return written, load_attempt_states(self._site.store, followed)


_STILL_HERE = ": still here\n\n"


async def stream_attempt(request: Request) -> Response:
    """Stream the events of an attempt to its owner."""

    def follow() -> tuple[Visit, Attempt]:
        visit = check_access(find_visit(request), "person")
        return visit, find_own_attempt(visit, request.path_params["attempt"])

    visit, attempt = await run_in_threadpool(follow)
    return _stream(visit, _of_attempt(visit, attempt))


async def stream_course(request: Request) -> Response:
    """Stream to staff an event whenever something has changed."""
    visit = await run_in_threadpool(lambda: check_access(find_visit(request), "staff"))
    return _stream(visit, _of_course(visit))


def _stream(visit: Visit, events: AsyncIterator[str]) -> Response:
    watcher: ChangeWatcher = visit.request.app.state.watcher
    watcher.open_stream(visit.who.id)

    async def counted() -> AsyncIterator[str]:
        try:
            async for event in events:
                yield event
        finally:
            watcher.close_stream(visit.who.id)

    return StreamingResponse(counted(), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def _of_attempt(visit: Visit, attempt: Attempt) -> AsyncIterator[str]:
    watcher: ChangeWatcher = visit.request.app.state.watcher
    rules = visit.site.courses[attempt.course]
    async for standing in watcher.follow_attempt(attempt.id):
        if standing is None:
            yield _STILL_HERE
        elif standing.attempt.is_under_way:
            yield _event("standing", asdict(describe_progress(standing, rules, visit.t)))
        else:
            yield _event("ended", {})


async def _of_course(visit: Visit) -> AsyncIterator[str]:
    watcher: ChangeWatcher = visit.request.app.state.watcher
    async for is_changed in watcher.follow_changes():
        yield _event("changed", {}) if is_changed else _STILL_HERE


def _event(name: str, value: Mapping[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(value)}\n\n"
