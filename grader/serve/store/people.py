"""The students and staff of the courses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final, Literal

from grader.api import free_name
from grader.serve.store.database import Store

Role = Literal["student", "staff"]
Rank = Literal["teacher", "assistant"]
Origin = Literal["demo", "invite", "lti"]
_COLUMNS: Final = "id, course, folder, name, email, role, rank, origin, external, created"


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
    rank: Rank
    """Of staff: what an assistant may do, the course says."""
    origin: Origin
    external: str
    """The id of the person at the origin."""
    created: float

    @property
    def is_staff(self) -> bool:
        """Tell whether the person is staff, and so may see the work of others."""
        return self.role == "staff"

    @property
    def is_teacher(self) -> bool:
        """Tell whether the person is staff and no assistant."""
        return self.is_staff and self.rank == "teacher"


@dataclass(frozen=True, slots=True)
class Newcomer:
    """The data about a person that an origin provides."""

    course: str
    name: str
    role: Role
    origin: Origin
    external: str
    email: str = ""
    rank: Rank = "teacher"
    """Of staff; that of a known person stays if a teacher gave it, or no other teacher would be left."""


def put(store: Store, who: Newcomer, now: float) -> Person:
    """Add a person, or update the name, e-mail, role and rank of a known one; return the person."""
    same = "course = ? and origin = ? and external = ?", (who.course, who.origin, who.external)
    with store.transaction():
        known = _select(store, *same)
        if not known:
            taken = store.column("select folder from people where course = ?", (who.course,))
            row = {**asdict(who), "folder": free_name(who.name, taken), "created": now}
            store.insert("people", row)
        else:
            rank = known[0].rank if _is_last_teacher(store, known[0]) else who.rank
            store.rows(
                "update people set (name, email, role, rank) = (?1, ?2, ?3, iif(rank_given, rank, ?5)), "
                "changed = 1 where id = ?4 "
                "and (name, email, role, rank) is not (?1, ?2, ?3, iif(rank_given, rank, ?5))",
                (who.name, who.email, who.role, known[0].id, rank),
            )
        return _select(store, *same)[0]


def give_rank(store: Store, person: Person, rank: Rank) -> bool:
    """Change the rank of staff for good; return False for the last teacher of a course, who stays one."""
    with store.transaction():
        if _is_last_teacher(store, person):
            return rank == "teacher"
        store.rows("update people set rank = ?, rank_given = 1 where id = ?", (rank, person.id))
    return True


def _is_last_teacher(store: Store, person: Person) -> bool:
    teachers = "select id from people where course = ? and role = 'staff' and rank = 'teacher'"
    return store.column(teachers, (person.course,)) == [person.id]


def get(store: Store, person: int) -> Person | None:
    """Return a person by number; None if there is none."""
    return next(iter(_select(store, "id = ?", (person,))), None)


def find(store: Store, course: str, origin: Origin, external: str) -> Person | None:
    """Return the person with this id at the origin; None if there is none in the course."""
    found = _select(store, "course = ? and origin = ? and external = ?", (course, origin, external))
    return next(iter(found), None)


def list_for_course(store: Store, course: str) -> list[Person]:
    """Return all people in a course, sorted by name."""
    return _select(store, "course = ? order by name, id", (course,))


def remove(store: Store, person: int) -> None:
    """Delete a person with all attempts, but not the files."""
    store.rows("delete from people where id = ?", (person,))


def _select(store: Store, condition: str, values: Sequence[object]) -> list[Person]:
    return store.records(Person, f"select {_COLUMNS} from people where {condition}", values)
