"""One look at the database for all who follow what happens.

It is taken only when something was written since the last, and tells each page where its attempt stands: so
three hundred open pages cost little more than one.
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
from grader.serve.web.site import Site
from grader.serve.web.words import AttemptState

_PAUSE_SECONDS: Final = 0.3
_HEARTBEAT_SECONDS: Final = 15.0
_MOST_STREAMS: Final = 6
"""Of one person at a time."""


def standings(store: Store, ids: Iterable[str]) -> dict[str, AttemptState]:
    """Where attempts stand, by their ids."""
    places = queue.places(store)
    found = [attempt for id_ in ids if (attempt := attempts.get(store, id_)) is not None]
    return {
        attempt.id: AttemptState(attempt, places.get(attempt.id), tuple(progress.of(store, attempt.id)))
        for attempt in found
    }


class Hub:
    """Looks for all; belongs to the loop of the server."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._thread = ThreadPoolExecutor(1, "hub")  # one connection, which knows when others have written
        self._version: object = None
        self._written: object = None
        """What the database calls itself since it was last written to."""
        self._followed: Counter[str] = Counter()
        self._streams: Counter[int] = Counter()
        self._seen: Mapping[str, AttemptState] = {}
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def attempt(self, id_: str) -> AsyncIterator[AttemptState | None]:
        """Where an attempt stands each time that this changes, until it has ended; None now and then."""
        self._followed[id_] += 1
        told: AttemptState | None = None
        try:
            async for _ in self._changes():
                now = self._seen.get(id_)
                yield now if now != told else None
                told = now
                if told is not None and not told.is_under_way:
                    return
        finally:
            self._followed -= Counter([id_])

    async def anything(self) -> AsyncIterator[bool]:
        """Whether something was written since the last time."""
        before = self._written
        async for _ in self._changes():
            now = self._written  # what is written while the stream is busy is told next
            yield now != before
            before = now

    def enter(self, person: int) -> None:
        """Count a stream of a person. Raises HTTPException where there are too many."""
        if self._streams[person] >= _MOST_STREAMS:
            raise HTTPException(429, "often")
        self._streams[person] += 1

    def leave(self, person: int) -> None:
        """Count it no more."""
        self._streams -= Counter([person])

    async def close(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
        self._thread.shutdown(wait=True)

    async def _changes(self) -> AsyncIterator[None]:
        """At once, then after each change, and where none comes for a while."""
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
            found = await loop.run_in_executor(self._thread, self._look, frozenset(self._followed))
            if found is not None:
                self._written, self._seen = found
                before, self._changed = self._changed, asyncio.Event()
                before.set()
            await asyncio.sleep(_PAUSE_SECONDS)

    def _look(self, followed: frozenset[str]) -> tuple[object, Mapping[str, AttemptState]] | None:
        """What the database calls itself, and where attempts stand; None where both are as they were."""
        written = self._site.store.value("pragma data_version")
        if (written, followed) == self._version:
            return None
        self._version = written, followed
        return written, standings(self._site.store, followed)
