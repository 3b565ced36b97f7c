"""People and uploads, made up."""

from __future__ import annotations

from collections.abc import Callable

from grader.serve.store import attempts, people
from grader.serve.store.attempts import Attempt, Upload
from grader.serve.store.database import Store
from grader.serve.store.people import Newcomer, Person, Role

COURSE = "mazes"
Graded = Callable[..., Attempt]


def a_person(store: Store, name: str = "Ada", *, course: str = COURSE, role: Role = "student") -> Person:
    return people.put(store, Newcomer(course, name, role, "demo", name), 1.0)


def an_attempt(store: Store, person: Person, now: float = 1.0) -> Attempt:
    """One whose files are nowhere."""
    return attempts.add(store, person.id, Upload(attempts.new_id(), "sha", ("bfs.py",)), now)
