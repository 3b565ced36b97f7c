"""The served courses."""

from __future__ import annotations

from grader.serve.store.database import Store


def put(store: Store, course: str, title: str, *, marks_from: float = 0.0) -> None:
    """Add a course, or update its title and the time from which its marks are sent to learning platforms.

    The mark of a person with a later deadline waits for that (see `outbox.take`); 0 means that marks are
    sent at once.
    """
    store.rows(
        "insert into courses (id, title, marks_from) values (?, ?, ?) "
        "on conflict do update set title = excluded.title, marks_from = excluded.marks_from",
        (course, title, marks_from),
    )


def load_titles(store: Store) -> dict[str, str]:
    """Return the titles of all courses, by id."""
    return {row["id"]: row["title"] for row in store.rows("select id, title from courses order by id")}
