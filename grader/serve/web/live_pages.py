"""Server-sent events for pages that follow live changes, from one watcher of the database for all of them.

The states of attempts are read once for all pages, and only after something was written: so three hundred
open pages cost little more than one.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from grader.serve.store.attempts import Attempt
from grader.serve.web.progress_texts import AttemptState, describe_progress, load_attempt_states
from grader.serve.web.site import Site
from grader.serve.web.student_pages import find_own_attempt
from grader.serve.web.visits import Visit, check_access, find_visit

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
        self._thread = ThreadPoolExecutor(
            1, "watcher"
        )  # one connection, which knows when others have written
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
                if last is not None and not last.is_under_way:
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
    rubric = visit.site.courses[attempt.course]
    async for standing in watcher.follow_attempt(attempt.id):
        if standing is None:
            yield _STILL_HERE
        elif standing.is_under_way:
            yield _event("standing", describe_progress(standing, rubric, visit.t).as_data())
        else:
            yield _event("ended", {})


async def _of_course(visit: Visit) -> AsyncIterator[str]:
    watcher: ChangeWatcher = visit.request.app.state.watcher
    async for is_changed in watcher.follow_changes():
        yield _event("changed", {}) if is_changed else _STILL_HERE


def _event(name: str, value: Mapping[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(value)}\n\n"
