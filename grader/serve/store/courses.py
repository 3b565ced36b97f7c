"""The courses that are served."""

from __future__ import annotations

from grader.serve.store.database import Store


def put(store: Store, course: str, title: str, *, marks_from: float = 0.0) -> None:
    """Have a course, or another title for it, and send its marks to learning platforms from a moment on.

    Marks of who has a later deadline wait for that (see `outbox.take`); 0 is for courses that hide nothing.
    """
    store.rows(
        "insert into courses (id, title, marks_from) values (?, ?, ?) "
        "on conflict do update set title = excluded.title, marks_from = excluded.marks_from",
        (course, title, marks_from),
    )


def titles(store: Store) -> dict[str, str]:
    """The titles by the courses' ids."""
    return {row["id"]: row["title"] for row in store.rows("select id, title from courses order by id")}
