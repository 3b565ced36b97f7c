"""What was handed in, and what became of it."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from grader.errors import InputError
from grader.serve.store.database import Store

State = Literal["waiting", "running", "graded", "refused", "fault", "replaced", "withdrawn"]
_ID_BYTES: Final = 18
_REPLACEABLE: Final = "state = 'waiting' and result_key is null"
_COLUMNS: Final = (
    "id, course, person, number, at, upload_sha, labels, state, counts_against_bucket, result_key, score, "
    "max_score, seconds, reason, lease_owner, lease_until, started, ended, tries"
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt of one person."""

    id: str
    course: str
    person: int
    number: int
    at: float
    upload_sha: str
    labels: tuple[str, ...]
    """What the student called the files, in the order in which they are kept."""
    state: State
    counts_against_bucket: bool
    result_key: str | None
    """What its result was made from; None where it has none yet."""
    score: float | None
    """Before lateness, and before what staff decided."""
    max_score: float | None
    seconds: float | None
    reason: str
    lease_owner: str | None
    lease_until: float | None
    started: float | None
    ended: float | None
    tries: int

    @property
    def has_result(self) -> bool:
        """Whether there are pages of it; also while it is graded anew."""
        return self.result_key is not None


@dataclass(frozen=True, slots=True)
class Upload:
    """What was kept of an upload, once it is on the disk."""

    id: str
    """Of the attempt that it is to become."""
    sha: str
    labels: tuple[str, ...]
    bytes: int = 0


def new_id() -> str:
    """An unguessable id."""
    return secrets.token_urlsafe(_ID_BYTES)


def add(store: Store, person: int, upload: Upload, now: float) -> Attempt:
    """Have an upload wait its turn; it takes the place of one of the same person that waits.

    What is replaced costs nothing of what the student may hand in. Raises InputError where there is
    no such person.
    """
    with store.transaction():
        course = store.value("select course from people where id = ?", (person,))
        if course is None:
            raise InputError("expected a person who takes part in a course")
        store.rows(
            "update attempts set state = 'replaced', counts_against_bucket = 0, bytes = 0, ended = ? "
            f"where person = ? and {_REPLACEABLE}",
            (now, person),
        )
        store.rows(
            "insert into attempts (id, course, person, number, at, upload_sha, labels, bytes, state) "
            "select ?, ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, 'waiting' "
            "from attempts where person = ?",
            (
                *(upload.id, course, person, now, upload.sha),
                *(json.dumps(upload.labels), upload.bytes, person),
            ),
        )
        found = get(store, upload.id)
    assert found is not None  # noqa: S101 - it was just written
    return found


def replaceable(store: Store, person: int) -> list[str]:
    """The ids of what waits for its first turn, whose place the person's next attempt takes."""
    rows = store.rows(f"select id from attempts where person = ? and {_REPLACEABLE}", (person,))
    return [row["id"] for row in rows]


def kept_bytes(store: Store, person: int) -> int:
    """How much is kept of what a person handed in, but for what the next attempt replaces or is withdrawn."""
    found: int = store.value(
        "select coalesce(sum(bytes), 0) from attempts "
        f"where person = ? and state != 'withdrawn' and not ({_REPLACEABLE})",
        (person,),
    )
    return found


def get(store: Store, attempt: str) -> Attempt | None:
    """An attempt by its id."""
    found = _where(store, "id = ?", (attempt,))
    return found[0] if found else None


def of_person(store: Store, person: int) -> list[Attempt]:
    """All of a person's, the newest first."""
    return _where(store, "person = ? order by number desc", (person,))


def of_course(store: Store, course: str) -> list[Attempt]:
    """All of a course, in the order in which they came."""
    return _where(store, "course = ? order by at, id", (course,))


def times(store: Store, person: int, *, but_waiting: bool = False) -> list[float]:
    """When a person handed in what counts against the limit, the earliest first.

    ``but_waiting`` leaves out what waits for its first turn: it costs nothing once a newer one replaces it.
    """
    rows = store.rows(
        "select at from attempts where person = ? and counts_against_bucket = 1 "
        f"and not (? and {_REPLACEABLE}) order by at",
        (person, but_waiting),
    )
    return [row["at"] for row in rows]


def withdraw(store: Store, attempt: str) -> None:
    """Have an attempt not count; what runs is not stopped, and then thrown away."""
    with store.transaction():
        store.rows("update attempts set state = 'withdrawn', lease_owner = null where id = ?", (attempt,))
        store.rows(_CHANGED, (attempt,))


def rerun(store: Store, attempt: str) -> bool:
    """Have an attempt graded again; False where it waits or runs, or where a newer one waits in its place."""
    try:
        rows = store.rows(
            "update attempts set state = 'waiting', tries = 0, not_before = 0 "
            "where id = ? and state in ('graded', 'refused', 'fault') returning id",
            (attempt,),
        )
    except sqlite3.IntegrityError:
        return False
    return bool(rows)


_CHANGED: Final = "update people set changed = 1 where id = (select person from attempts where id = ?)"


def _where(store: Store, condition: str, values: Sequence[object]) -> list[Attempt]:
    statement = f"select {_COLUMNS} from attempts where {condition}"
    return [_attempt(row) for row in store.rows(statement, values)]


def _attempt(row: sqlite3.Row) -> Attempt:
    data: dict[str, Any] = dict(row)
    data["labels"] = tuple(json.loads(data["labels"]))
    data["counts_against_bucket"] = bool(data["counts_against_bucket"])
    return Attempt(**data)
