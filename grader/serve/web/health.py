"""Whether the service is well, and what it has done, for programs that watch it.

Neither page asks who asks. The one says a word that tells nothing of anybody; the other has numbers, which
whoever comes through a proxy does not get.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from grader.serve.store import queue, settings
from grader.serve.store.database import Store
from grader.serve.web.visits import Site

BEATS_SECONDS: Final = 60.0
"""The dispatcher is missed when it has given no sign of life for 60 seconds."""
LEAST_FREE_BYTES: Final = 256 << 20
"""The disk is full when less than 256 MiB are left."""
_WRITE_SECONDS: Final = 1.0
"""The database is missed when a row cannot be written within a second."""
_PROXIED: Final = re.compile(r"forwarded|via|x-forwarded-.+|x-real-ip")
"""Matches the headers that a proxy adds."""
_BOUNDS: Final = (5, 10, 30, 60, 120, 300, 600)
"""The bounds, in seconds, of the histogram of gradings."""
_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


def health(request: Request) -> Response:
    """Answer whether the service is well, else with the part that is not: dispatcher, disk, or database."""
    site: Site = request.app.state.site
    wrong = _what_is_wrong(site)
    return PlainTextResponse(f"{wrong or 'well'}\n", 503 if wrong else 200)


def _what_is_wrong(site: Site) -> str:
    if shutil.disk_usage(site.data.folder).free < LEAST_FREE_BYTES:
        return "disk"
    try:
        with closing(sqlite3.connect(site.data.database, timeout=_WRITE_SECONDS)) as written, written:
            written.execute("insert or replace into settings values ('written', ?)", (repr(site.clock()),))
    except sqlite3.Error:
        return "database"
    beat = float(settings.get(site.store, settings.BEAT, "0"))
    return "" if abs(site.clock() - beat) <= BEATS_SECONDS else "dispatcher"


def metrics(request: Request) -> Response:
    """Answer with the numbers, in the text format of Prometheus. Raises HTTPException for a proxy."""
    if any(map(_PROXIED.fullmatch, request.headers)):
        raise HTTPException(404, "missing")
    site, answers = request.app.state.site, request.app.state.answers
    return PlainTextResponse("".join(f"{line}\n" for line in _lines(site, answers)), media_type=_TYPE)


def _lines(site: Site, answers: Counter[tuple[str, int]]) -> Iterator[str]:
    store = site.store
    states = queue.count_by_state(store)
    by_state = ((f'{{state="{state}"}}', count) for state, count in states.items())
    yield from _metric("attempts", "gauge", by_state)
    yield from _metric("oldest_waiting_seconds", "gauge", [("", _oldest_waiting(store, site.clock()))])
    yield from _metric("grading_seconds", "histogram", _histogram(store))
    yield from _metric("faults", "gauge", [("", states["fault"])])
    outbox = store.value("select count(*) from outbox where sent_at is null")
    yield from _metric("outbox", "gauge", [("", outbox)])
    yield from _metric("free_bytes", "gauge", [("", shutil.disk_usage(site.data.folder).free)])
    by_route = ((f'{{route="{name}",status="{code}"}}', n) for (name, code), n in sorted(answers.items()))
    yield from _metric("requests_total", "counter", by_route)


def _metric(name: str, kind: str, values: Iterable[tuple[str, float]]) -> Iterator[str]:
    """Yield the lines of a metric; each value comes with what stands between its name and itself."""
    yield f"# TYPE maze_grader_{name} {kind}"
    yield from (f"maze_grader_{name}{labels} {value:g}" for labels, value in values)


def _oldest_waiting(store: Store, now: float) -> float:
    """Return for how many seconds the oldest attempt has waited that was never graded; 0 if none waits."""
    oldest = store.value("select min(at) from attempts where state = 'waiting' and result_key is null")
    return 0.0 if oldest is None else max(0.0, now - oldest)


def _histogram(store: Store) -> Iterator[tuple[str, float]]:
    taken = store.column("select seconds from attempts where seconds is not null")
    for bound in _BOUNDS:
        yield f'_bucket{{le="{bound}"}}', sum(each <= bound for each in taken)
    yield '_bucket{le="+Inf"}', len(taken)
    yield "_sum", sum(taken)
    yield "_count", len(taken)
