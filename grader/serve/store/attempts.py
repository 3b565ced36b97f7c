"""The attempts that people handed in, with their state and score, and the exercises that are graded already.

Of an exercise, the points are kept that students see at once.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from grader.api import ExerciseDone
from grader.errors import InputError
from grader.serve.store import marks
from grader.serve.store.database import Store

State = Literal["unread", "waiting", "running", "graded", "refused", "fault", "replaced", "withdrawn"]
_ID_BYTES: Final = 16
_REPLACEABLE: Final = "state = 'waiting' and result_key is null and unread = 0"
STATE: Final = "case when unread then 'unread' else state end as state"
"""What is not read yet waits as well, but has no place in the queue."""
_STATE: Final = f"state_before = {STATE.removesuffix(' as state')}"
_COLUMNS: Final = (
    f"id, course, person, number, at, labels, {STATE}, result_key, score, max_score, seconds, reason, "
    "started, ended, tries, stamp, edition"
)
_FIRST_PASSES: Final = """
    with tried as (
        select id, person, at from attempts
        where course = ? and result_key is not null and state != 'withdrawn'),
    begun as (select person, min(at) as at from tried group by person)
    select person, exercise, min(case when score >= max_score - 1e-6 then tried.at end) - begun.at as seconds
    from begun join tried using (person) left join progress on attempt = tried.id and max_score > 0
    group by person, exercise"""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt of one person."""

    id: str
    course: str
    person: int
    number: int
    at: float
    labels: tuple[str, ...]
    """The student's names for the files, in the order in which the files are stored."""
    state: State
    result_key: str | None
    """A digest of everything that the result depends on; None if there is no result yet."""
    score: float | None
    """The score before the deduction for lateness and before decisions of staff."""
    max_score: float | None
    seconds: float | None
    reason: str
    started: float | None
    ended: float | None
    tries: int
    stamp: str
    """What its result was graded with: the course and the grader."""
    edition: int
    """The regrade that its result came of (see `regrades`); 0 for none."""
    is_second: bool = False
    """Whether it is graded again with its course, so that its own result and state stay as they are."""

    @property
    def has_result(self) -> bool:
        """Tell whether the attempt has a result, which it keeps while it is graded again."""
        return self.result_key is not None

    @property
    def work(self) -> str:
        """Return the digest of what was handed in, with which its key ends; empty without a result."""
        return (self.result_key or "").partition(" ")[2]

    @property
    def is_under_way(self) -> bool:
        """Tell whether the attempt is being read or graded, or waits."""
        return self.state in ("unread", "waiting", "running")


@dataclass(frozen=True, slots=True)
class Upload:
    """An upload that is on the disk."""

    id: str
    """The id of the attempt that the upload becomes."""
    sha: str
    labels: tuple[str, ...]
    bytes: int = 0


def new_id() -> str:
    """Make an unguessable id for an attempt; it does not begin as a formula of a spreadsheet does."""
    return secrets.token_hex(_ID_BYTES)


def add(
    store: Store, person: int, upload: Upload, now: float, *, is_read: bool = True, costs: bool = True
) -> Attempt:
    """Add an upload as an attempt.

    It takes its place in the queue, and that of one of the same person that still waits: a replaced attempt
    does not count against the student's limit. One that is yet to be read replaces nothing, and does not
    count, nor does one without ``costs``. Raises InputError if there is no such person.
    """
    with store.transaction():
        course = store.value("select course from people where id = ?", (person,))
        if course is None:
            raise InputError("expected a person who takes part in a course")
        if is_read:
            _replace(store, person, now)
        store.rows(
            "insert into attempts (id, course, person, number, at, upload_sha, labels, bytes, state, "
            "unread, counts_against_bucket) "
            "select ?, ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, 'waiting', ?, ? "
            "from attempts where person = ?",
            (
                *(upload.id, course, person, now, upload.sha),
                *(json.dumps(upload.labels), upload.bytes, not is_read, is_read and costs, person),
            ),
        )
        found = get(store, upload.id)
    assert found is not None  # noqa: S101 - it was just written
    return found


def _replace(store: Store, person: int, now: float) -> list[str]:
    """Let what waits of a person be replaced, and return its ids."""
    return store.column(
        "update attempts set state = 'replaced', counts_against_bucket = 0, bytes = 0, ended = ? "
        f"where person = ? and {_REPLACEABLE} returning id",
        (now, person),
    )


def list_unread(store: Store) -> list[Attempt]:
    """Return the attempts that are yet to be read, in the order in which they were handed in."""
    return _select(store, "unread = 1 and state = 'waiting' order by at, person, number", ())


def put_read(store: Store, attempt: Attempt, now: float, lacks: str = "") -> list[str]:
    """Give an attempt that has been read its place in the queue; return the ids of those that are replaced.

    ``lacks`` says why there is no exercise in it: then it is refused, and the one before it stands.
    """
    mine, is_there = (attempt.id,), "where id = ? and unread = 1 and state = 'waiting'"
    with store.transaction():
        if lacks:
            done = "unread = 0, state = 'refused', reason = ?, ended = ?"
            store.rows(f"update attempts set {done} {is_there}", (lacks, now, *mine))
            return []
        if store.value(f"select 1 from attempts {is_there}", mine) is None:
            return []  # withdrawn, or forgotten, in this very moment
        waiting = f"select 1 from attempts where person = ? and number > ? and {_REPLACEABLE}"
        if store.value(waiting, (attempt.person, attempt.number)):
            done = "unread = 0, state = 'replaced', bytes = 0, ended = ?"
            return store.column(f"update attempts set {done} where id = ? returning id", (now, *mine))
        gone = _replace(store, attempt.person, now)
        store.rows("update attempts set unread = 0, counts_against_bucket = 1 where id = ?", mine)
        return gone


def list_replaceable(store: Store, person: int) -> list[str]:
    """Return the ids of the attempts that the person's next attempt replaces: those never graded yet."""
    return store.column(f"select id from attempts where person = ? and {_REPLACEABLE}", (person,))


def count_stored_bytes(store: Store, person: int) -> int:
    """Return how many bytes a person's attempts take, without withdrawn and replaceable ones."""
    found: int = store.value(
        "select coalesce(sum(bytes), 0) from attempts "
        f"where person = ? and state != 'withdrawn' and not ({_REPLACEABLE})",
        (person,),
    )
    return found


def get(store: Store, attempt: str) -> Attempt | None:
    """Return an attempt by its id; None if there is none."""
    found = _select(store, "id = ?", (attempt,))
    return found[0] if found else None


def list_for_person(store: Store, person: int) -> list[Attempt]:
    """Return all attempts of a person, the newest first."""
    return _select(store, "person = ? order by number desc", (person,))


def list_for_course(store: Store, course: str) -> list[Attempt]:
    """Return all attempts of a course, in the order in which they were handed in."""
    return _select(store, "course = ? order by at, id", (course,))


def counted_times(store: Store, person: int, *, but_waiting: bool = False) -> list[float]:
    """Return when a person handed in the attempts that count against the limit, the earliest first.

    ``but_waiting`` leaves out attempts that were never graded yet: they stop counting when they are replaced.
    """
    return store.column(
        "select at from attempts where person = ? and counts_against_bucket = 1 "
        f"and not (? and {_REPLACEABLE}) order by at",
        (person, but_waiting),
    )


def count_outdated(store: Store, course: str, stamp: str) -> int:
    """Return how many results of a course are of another rubric or grader than that of this stamp."""
    outdated = "state in ('graded', 'refused') and result_key is not null and stamp != ?"
    return int(store.value(f"select count(*) from attempts where course = ? and {outdated}", (course, stamp)))


def withdraw(store: Store, attempt: str) -> None:
    """Withdraw an attempt, so that it does not count; if it is running, its result is discarded."""
    _change_state(store, attempt, f"{_STATE}, state = 'withdrawn', unread = 0, lease_owner = null", "!=")


def restore(store: Store, attempt: str) -> bool:
    """Undo a withdrawal; what waited or ran waits. Return False if there is none, or a newer one waits."""
    state = "case when state_before in ('unread', 'running') then 'waiting' else state_before end"
    try:
        return _change_state(store, attempt, f"state = {state}, unread = (state_before = 'unread')", "=")
    except sqlite3.IntegrityError:
        return False


def _change_state(store: Store, attempt: str, changes: str, withdrawn: Literal["=", "!="]) -> bool:
    """Change an attempt that is, or is not, withdrawn; tell whether it was so."""
    statement = (
        f"update attempts set {changes} where id = ? and state {withdrawn} 'withdrawn' returning person"
    )
    with store.transaction():
        people = store.column(statement, (attempt,))
        marks.flag(store, *people)
    return bool(people)


def rerun(store: Store, attempt: str) -> bool:
    """Queue an attempt to be graded again; return False if it, or a newer one that replaces it, is queued."""
    try:
        rows = store.rows(
            "update attempts set state = 'waiting', tries = 0, not_before = 0, again = x'' "
            "where id = ? and state in ('graded', 'refused', 'fault') returning id",
            (attempt,),
        )
    except sqlite3.IntegrityError:
        return False
    return bool(rows)


def count_again(store: Store, attempt: str) -> None:
    """Let an attempt count against the limit, which one that could not be graded does not."""
    store.rows("update attempts set counts_against_bucket = 1 where id = ?", (attempt,))


def _select(store: Store, condition: str, values: Sequence[object]) -> list[Attempt]:
    rows = store.rows(f"select {_COLUMNS} from attempts where {condition}", values)
    return [Attempt(**{**dict(row), "labels": tuple(json.loads(row["labels"]))}) for row in rows]


def add_step(store: Store, attempt: str, step: ExerciseDone, now: float) -> None:
    """Record a graded exercise, unless the attempt has been deleted."""
    store.rows(
        "insert into progress select ?1, ?2, ?3, ?4, ?5 where exists (select 1 from attempts where id = ?1) "
        "on conflict do update set "
        "score = excluded.score, max_score = excluded.max_score, at = excluded.at",
        (attempt, step.exercise, step.score, step.max_score, now),
    )


def list_steps(store: Store, attempt: str) -> list[ExerciseDone]:
    """Return the graded exercises of an attempt, in the order in which they were graded."""
    statement = "select exercise, score, max_score from progress where attempt = ? order by at, rowid"
    return store.records(ExerciseDone, statement, (attempt,))


def list_first_passes(store: Store, course: str) -> dict[int, dict[str, float | None]]:
    """Return, by person and exercise, the seconds from the first attempt to one that passed, or None.

    An attempt passes an exercise with all the points that students see at once; exercises without such points
    are left out. Attempts without a result do not count, nor do withdrawn ones.
    """
    found: dict[int, dict[str, float | None]] = {}
    for row in store.rows(_FIRST_PASSES, (course,)):
        passes = found.setdefault(row["person"], {})
        if row["exercise"] is not None:
            passes[row["exercise"]] = row["seconds"]
    return found
