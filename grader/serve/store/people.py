"""The students and staff of the courses."""

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
    """A person in a course."""

    id: int
    course: str
    folder: str
    """The name of the person's folder in the class folder."""
    name: str
    email: str
    role: Role
    origin: Origin
    external: str
    """The id of the person at the origin."""
    created: float

    @property
    def is_staff(self) -> bool:
        """Tell whether the person is staff, and so may see the work of others."""
        return self.role == "staff"


@dataclass(frozen=True, slots=True)
class Newcomer:
    """The data about a person that an origin provides."""

    course: str
    name: str
    role: Role
    origin: Origin
    external: str
    email: str = ""


def put(store: Store, who: Newcomer, now: float) -> Person:
    """Add a person, or update the name, e-mail and role of a known one; return the person."""
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
                    *(who.course, _choose_folder(store, who), who.name, who.email, who.role),
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
    """Return a person by number; None if there is none."""
    row = store.row(f"select {_COLUMNS} from people where id = ?", (person,))
    return _person(row) if row else None


def list_for_course(store: Store, course: str) -> list[Person]:
    """Return all people in a course, sorted by name."""
    statement = f"select {_COLUMNS} from people where course = ? order by name, id"
    return [_person(row) for row in store.rows(statement, (course,))]


def remove(store: Store, person: int) -> None:
    """Delete a person with all attempts, but not the files."""
    store.rows("delete from people where id = ?", (person,))


def _choose_folder(store: Store, who: Newcomer) -> str:
    """Return a safe folder name that no other person in the course has, and no file of the results."""
    taken = {collision_key(name) for name in RESERVED}
    rows = store.rows("select folder from people where course = ?", (who.course,))
    taken |= {collision_key(row["folder"]) for row in rows}
    wanted = safe_name(who.name)
    names = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if collision_key(name) not in taken)


def _person(row: sqlite3.Row) -> Person:
    return Person(**dict(row))
