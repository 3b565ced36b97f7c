"""Deadlines of some students' own."""

from __future__ import annotations

from grader.serve.store.database import Store


def put(store: Store, person: int, deadline: float) -> None:
    """Give a person until this moment, whatever was said before."""
    with store.transaction():
        store.rows(
            "insert into extensions (person, course, deadline) "
            "select id, course, ? from people where id = ? "
            "on conflict do update set deadline = excluded.deadline",
            (deadline, person),
        )
        store.rows("update people set changed = 1 where id = ?", (person,))


def take_back(store: Store, person: int) -> None:
    """Have everybody's deadline hold for a person again."""
    with store.transaction():
        store.rows("delete from extensions where person = ?", (person,))
        store.rows("update people set changed = 1 where id = ?", (person,))


def get(store: Store, person: int) -> float | None:
    """A person's own deadline."""
    found: float | None = store.value("select deadline from extensions where person = ?", (person,))
    return found


def of_course(store: Store, course: str) -> dict[int, float]:
    """All own deadlines of a course, by the person's number."""
    rows = store.rows("select person, deadline from extensions where course = ?", (course,))
    return {row["person"]: row["deadline"] for row in rows}
