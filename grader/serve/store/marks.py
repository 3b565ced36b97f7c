"""The mark of each person, with the results that are published with it, and own deadlines."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from grader.serve.store.database import Store


@dataclass(frozen=True, slots=True)
class PersonMark:
    """A person's mark, and the attempt that it is for."""

    attempt: str
    score: float
    """The score after the deduction for lateness and after decisions of staff."""
    max_score: float
    waits: bool = False
    """Whether a person is to give points of it, so that no platform gets it before."""
    points: Mapping[str, float] = field(default_factory=dict, compare=False)
    """The points of each exercise and check, by its id; not read back."""


def put(store: Store, person: int, mark: PersonMark | None, results: bytes = b"") -> None:
    """Set a person's mark with the results that it is of, or delete both if ``mark`` is None."""
    with store.transaction():
        store.rows("delete from counting where person = ?", (person,))
        if mark is not None:
            packed = zlib.compress(results) if results else None
            row = {**asdict(mark), "points": json.dumps(mark.points), "results": packed}
            store.insert("counting", {"person": person, **row})


def get(store: Store, person: int) -> PersonMark | None:
    """Return a person's mark; None if there is none yet."""
    statement = "select attempt, score, max_score from counting where person = ?"
    return next(iter(store.records(PersonMark, statement, (person,))), None)


def published_results(store: Store, attempt: str) -> bytes | None:
    """Return the results of an attempt, with lateness and the decisions of staff, if it counts; else None."""
    packed = store.value("select results from counting where attempt = ?", (attempt,))
    return None if packed is None else zlib.decompress(packed)


def marks_by_person(store: Store, course: str) -> dict[int, PersonMark]:
    """Return all marks of a course, by the person's number."""
    rows = store.rows(
        "select counting.person, attempt, score, max_score from counting "
        "join people on people.id = counting.person where people.course = ?",
        (course,),
    )
    return {row["person"]: PersonMark(row["attempt"], row["score"], row["max_score"]) for row in rows}


def points_by_person(store: Store, course: str, what: str) -> dict[int, float]:
    """Return the points of those who have some of an exercise or a check, by the person's number."""
    rows = store.rows(
        "select person, each.value from counting join people on people.id = person "
        "join json_each(counting.points) as each where people.course = ? and each.key = ?",
        (course, what),
    )
    return {row["person"]: row["value"] for row in rows}


def flag(store: Store, *people: int) -> None:
    """Flag people so that their marks are computed again, since something these depend on has changed."""
    for person in people:
        store.rows("update people set changed = 1 where id = ?", (person,))


def list_flagged_people(store: Store, course: str) -> list[int]:
    """Return the numbers of the flagged people, whose results in the class folder may be out of date."""
    return store.column("select id from people where course = ? and changed = 1 order by id", (course,))


def put_deadline(store: Store, person: int, deadline: float) -> None:
    """Set a person's own deadline, in seconds since the epoch, in place of any earlier one."""
    with store.transaction():
        store.rows(
            "insert into extensions (person, course, deadline) "
            "select id, course, ? from people where id = ? "
            "on conflict do update set deadline = excluded.deadline",
            (deadline, person),
        )
        flag(store, person)


def remove_deadline(store: Store, person: int) -> None:
    """Delete a person's own deadline, so that the deadline of the course applies again."""
    with store.transaction():
        store.rows("delete from extensions where person = ?", (person,))
        flag(store, person)


def own_deadline(store: Store, person: int) -> float | None:
    """Return a person's own deadline; None if there is none."""
    found: float | None = store.value("select deadline from extensions where person = ?", (person,))
    return found


def deadlines_by_person(store: Store, course: str) -> dict[int, float]:
    """Return all own deadlines in a course, by the person's number."""
    rows = store.rows("select person, deadline from extensions where course = ?", (course,))
    return {row["person"]: row["deadline"] for row in rows}
