"""The served courses, each with the log of everything that its staff do."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from grader.serve.store.database import Store


def put(store: Store, course: str, title: str, *, marks_from: float = 0.0) -> None:
    """Add a course, or update its title and the time from which its marks are sent to learning platforms.

    The mark of a person with a later deadline waits for that (see `outbox.take`); 0 means that marks are
    sent at once.
    """
    store.put("courses", {"id": course}, {"title": title, "marks_from": marks_from})


def load_titles(store: Store) -> dict[str, str]:
    """Return the titles of all courses, by id."""
    return {row["id"]: row["title"] for row in store.rows("select id, title from courses order by id")}


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An entry of the log: what a member of staff did."""

    at: float
    actor: str
    course: str
    what: str
    whom: str
    detail: str = ""


def log(store: Store, act: AuditEntry) -> None:
    """Add an entry to the log."""
    store.insert("audit", asdict(act))


def list_log(store: Store, course: str) -> list[AuditEntry]:
    """Return the latest 500 entries for a course, the newest first."""
    statement = "select at, actor, course, what, whom, detail from audit where course = ? order by id desc"
    return store.records(AuditEntry, f"{statement} limit 500", (course,))
