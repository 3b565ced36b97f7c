"""The log of everything that staff do."""

from __future__ import annotations

from dataclasses import dataclass

from grader.serve.store.database import Store


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An entry of the log: what a member of staff did."""

    at: float
    actor: str
    course: str
    what: str
    whom: str
    detail: str = ""


def add(store: Store, act: AuditEntry) -> None:
    """Add an entry to the log."""
    store.rows(
        "insert into audit (at, actor, course, what, whom, detail) values (?, ?, ?, ?, ?, ?)",
        (act.at, act.actor, act.course, act.what, act.whom, act.detail),
    )


def list_for_course(store: Store, course: str, *, most: int = 500) -> list[AuditEntry]:
    """Return the latest entries for a course, the newest first."""
    rows = store.rows(
        "select at, actor, course, what, whom, detail from audit where course = ? order by id desc limit ?",
        (course, most),
    )
    return [AuditEntry(**dict(row)) for row in rows]
