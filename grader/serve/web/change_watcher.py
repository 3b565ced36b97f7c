"""Watches the database for all pages that follow live changes.

The states of attempts are read once for all pages, and only after something was written: so three hundred
open pages cost little more than one.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from starlette.exceptions import HTTPException

from grader.serve.store import attempts, progress, queue
from grader.serve.store.database import Store
from grader.serve.web.progress_texts import AttemptState
from grader.serve.web.site import Site

_PAUSE_SECONDS: Final = 0.3
"""The database is checked every 0.3 seconds."""
_HEARTBEAT_SECONDS: Final = 15.0
"""A stream without changes gets a sign of life every 15 seconds."""
_MOST_STREAMS: Final = 6
"""One person may have at most 6 streams open at a time."""


def load_attempt_states(store: Store, ids: Iterable[str]) -> dict[str, AttemptState]:
    """Return the states of attempts, by id."""
    places = queue.places(store)
    found = [attempt for id_ in ids if (attempt := attempts.get(store, id_)) is not None]
    return {
        attempt.id: AttemptState(
            attempt, places.get(attempt.id), tuple(progress.list_for_attempt(store, attempt.id))
        )
        for attempt in found
    }


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
        """Yield True whenever something was written; False as a sign of life."""
        before = self._written
        async for _ in self._changes():
            now = self._written  # what is written while the stream is busy is reported next
            yield now != before
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
