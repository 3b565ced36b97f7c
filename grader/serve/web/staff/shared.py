"""Functions that the pages and actions of staff share."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any, Final, TypeVar

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse

from grader.batch.lock import Busy
from grader.errors import GraderError
from grader.serve.store import attempts, audit, people
from grader.serve.store.attempts import Attempt
from grader.serve.store.audit import AuditEntry
from grader.serve.store.people import Person
from grader.serve.web.visits import Visit

T = TypeVar("T")
_TRIES: Final = 200
_BUSY: Final = "The class is being updated: try again in a minute."
_PAUSE_SECONDS: Final = 0.1
_ONE_AT_A_TIME: Final = Lock()
"""Guards the class folders among the threads of this process; the lock of a folder excludes only others."""


def find_person(visit: Visit) -> Person:
    """Return the person in the URL. Raises HTTPException if they are not in the visitor's course."""
    found = people.get(visit.site.store, visit.request.path_params["person"])
    if found is None or found.course != visit.who.course:
        raise HTTPException(404, "missing")
    return found


def find_attempt(visit: Visit) -> tuple[Attempt, Person]:
    """Return the attempt in the URL and its owner. Raises HTTPException if not in the visitor's course."""
    found = attempts.get(visit.site.store, visit.request.path_params["attempt"])
    person = people.get(visit.site.store, found.person) if found is not None else None
    if found is None or person is None or found.course != visit.who.course:
        raise HTTPException(404, "missing")
    return found, person


def log_action(visit: Visit, what: str, whom: str, detail: str = "") -> None:
    """Log an action of the visitor."""
    act = AuditEntry(visit.now, visit.who.name, visit.who.course, what, whom, detail)
    audit.add(visit.site.store, act)


def run_when_free(act: Callable[[], T]) -> T:
    """Run ``act`` when no other process uses the class folder, and return its result.

    Raises GraderError if the folder stays in use for 20 seconds.
    """
    for _ in range(_TRIES):
        with _ONE_AT_A_TIME, suppress(Busy):
            return act()
        time.sleep(_PAUSE_SECONDS)
    raise GraderError(_BUSY)


def render_staff_page(visit: Visit, template: str, here: str, **values: Any) -> HTMLResponse:
    """Return a page for staff, with links to the others."""
    return visit.page(f"staff/{template}", here=here, **values)
