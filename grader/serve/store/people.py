"""Who takes part in a course, and who teaches it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final, Literal

from grader.batch.out_folder import RESERVED
from grader.intake.names import collision_key, safe_name
from grader.serve.store.database import Store

Role = Literal["student", "staff"]
Origin = Literal["demo", "invite", "lti"]
_COLUMNS: Final = "id, course, folder, name, email, role, origin, external, created"


@dataclass(frozen=True, slots=True)
class Person:
    """One person in one course."""

    id: int
    course: str
    folder: str
    """Of the person's result in the folder of the class."""
    name: str
    email: str
    role: Role
    origin: Origin
    external: str
    """Who this is where the person comes from."""
    created: float

    @property
    def is_staff(self) -> bool:
        """Whether the person may see others' work."""
        return self.role == "staff"


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What an origin tells of a person."""

    course: str
    name: str
    role: Role
    origin: Origin
    external: str
    email: str = ""


def put(store: Store, who: Newcomer, now: float) -> Person:
    """The person, new or known; name, e-mail and role are what the origin says now."""
    with store.transaction():
        known = store.row(
            "select id from people where course = ? and origin = ? and external = ?",
            (who.course, who.origin, who.external),
        )
        if known is None:
            store.rows(
                "insert into people (course, folder, name, email, role, origin, external, created) "
                "values (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(who.course, _folder(store, who), who.name, who.email, who.role),
                    who.origin,
                    who.external,
                    now,
                ),
            )
        else:
            store.rows(
                "update people set name = ?1, email = ?2, role = ?3, changed = 1 "
                "where id = ?4 and (name, email, role) is not (?1, ?2, ?3)",
                (who.name, who.email, who.role, known["id"]),
            )
        row = store.row(
            f"select {_COLUMNS} from people where course = ? and origin = ? and external = ?",
            (who.course, who.origin, who.external),
        )
    assert row is not None  # noqa: S101 - it was just written
    return _person(row)


def get(store: Store, person: int) -> Person | None:
    """A person by number."""
    row = store.row(f"select {_COLUMNS} from people where id = ?", (person,))
    return _person(row) if row else None


def of_course(store: Store, course: str) -> list[Person]:
    """All of a course, by name."""
    statement = f"select {_COLUMNS} from people where course = ? order by name, id"
    return [_person(row) for row in store.rows(statement, (course,))]


def remove(store: Store, person: int) -> None:
    """Forget a person, with all attempts; the files are somebody else's business."""
    store.rows("delete from people where id = ?", (person,))


def _folder(store: Store, who: Newcomer) -> str:
    """A safe name that nobody else of the course has, nor a file of the results."""
    taken = {collision_key(name) for name in RESERVED}
    rows = store.rows("select folder from people where course = ?", (who.course,))
    taken |= {collision_key(row["folder"]) for row in rows}
    wanted = safe_name(who.name)
    names = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if collision_key(name) not in taken)


def _person(row: sqlite3.Row) -> Person:
    return Person(**dict(row))
