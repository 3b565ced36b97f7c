"""The deadlines of students who have one of their own."""

from __future__ import annotations

from grader.serve.store import marks
from grader.serve.store.database import Store


def put(store: Store, person: int, deadline: float) -> None:
    """Set a person's own deadline, in seconds since the epoch, in place of any earlier one."""
    with store.transaction():
        store.rows(
            "insert into extensions (person, course, deadline) "
            "select id, course, ? from people where id = ? "
            "on conflict do update set deadline = excluded.deadline",
            (deadline, person),
        )
        marks.flag_person(store, person)


def remove(store: Store, person: int) -> None:
    """Delete a person's own deadline, so that the deadline of the course applies again."""
    with store.transaction():
        store.rows("delete from extensions where person = ?", (person,))
        marks.flag_person(store, person)


def get(store: Store, person: int) -> float | None:
    """Return a person's own deadline; None if there is none."""
    found: float | None = store.value("select deadline from extensions where person = ?", (person,))
    return found


def deadlines_by_person(store: Store, course: str) -> dict[int, float]:
    """Return all own deadlines in a course, by the person's number."""
    rows = store.rows("select person, deadline from extensions where course = ?", (course,))
    return {row["person"]: row["deadline"] for row in rows}
