"""The courses that are served."""

from __future__ import annotations

from grader.serve.store.database import Store


def put(store: Store, course: str, title: str) -> None:
    """Have a course, or another title for it."""
    store.rows(
        "insert into courses (id, title) values (?, ?) on conflict do update set title = excluded.title",
        (course, title),
    )


def titles(store: Store) -> dict[str, str]:
    """The titles by the courses' ids."""
    return {row["id"]: row["title"] for row in store.rows("select id, title from courses order by id")}
