"""The queue: whose turn it is, who has a job in hand, and what became of it.

A job in hand has a lease. Who holds it renews it; where nobody does any more, the job waits again, and what
the former holder still brings is not taken. The turn goes round the courses, and within a course to who was
served longest ago: nobody is passed by the same person twice.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from math import inf
from statistics import median
from typing import Final, Literal

from grader.serve.store import attempts, settings
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store

LEASE_SECONDS: Final = 60.0
LONGEST_REST_SECONDS: Final = 30.0
"""No job is put back for longer: what is to wait longer was put back before the clock was set back."""
_REMEMBERED: Final = 50
"""The expected time is the median of the last 50."""
_FIRST_GUESS_SECONDS: Final = 20.0
_READY: Final = f"""
    from attempts join people on people.id = attempts.person join courses on courses.id = attempts.course
    where state = 'waiting' and (not_before <= :now or not_before > :now + {LONGEST_REST_SECONDS})
    and not exists (
        select 1 from attempts as other where other.person = attempts.person and other.state = 'running')"""
_NEWER: Final = """result_key is null and exists (
    select 1 from attempts as n
    where n.person = attempts.person and n.state = 'waiting' and n.result_key is null)"""
_IN_TURN: Final = "order by courses.served, courses.id, people.served, attempts.at, attempts.id"
_NOBODYS: Final = "lease_owner = null, lease_until = null"
_MINE: Final = "where id = :attempt and state = 'running' and lease_owner = :owner"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a job."""

    state: Literal["graded", "refused"]
    result_key: str
    score: float
    max_score: float
    seconds: float
    reason: str = ""
    clock_bound: bool = False
    """Whether a clock decided: such a job is done once more when nothing waits (see `ask_again`)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a waiting attempt stands."""

    ahead: int
    """How many jobs come first, those in hand not among them."""
    waiting: int
    running: int
    seconds: float
    """Until it is done, as it looks now; infinite while there are no workers."""


def claim(store: Store, owner: str, now: float, courses: Collection[str]) -> Attempt | None:
    """Take the next job of these courses in hand; None where none is ready."""
    only = "and attempts.course in (select value from json_each(:courses))"
    with store.transaction():
        found = store.value(
            f"select attempts.id {_READY} {only} {_IN_TURN} limit 1",
            {"now": now, "courses": json.dumps(list(courses))},
        )
        if found is None:
            return None
        store.rows(
            "update attempts set state = 'running', lease_owner = ?, lease_until = ?, started = ?, "
            "tries = tries + 1 where id = ?",
            (owner, now + LEASE_SECONDS, now, found),
        )
        store.rows("delete from progress where attempt = ?", (found,))
        _serve(store, found)
        return attempts.get(store, found)


def _serve(store: Store, attempt: str) -> None:
    """Have the course and the person go to the end of the round."""
    turn = store.value("select max((select max(served) from people), (select max(served) from courses)) + 1")
    store.rows(
        "update people set served = ? where id = (select person from attempts where id = ?)", (turn, attempt)
    )
    store.rows(
        "update courses set served = ? where id = (select course from attempts where id = ?)", (turn, attempt)
    )


def renew(store: Store, owner: str, now: float) -> None:
    """Keep all that an owner has in hand."""
    store.rows(
        "update attempts set lease_until = ? where state = 'running' and lease_owner = ?",
        (now + LEASE_SECONDS, owner),
    )


def holds(store: Store, owner: str, attempt: str) -> bool:
    """Whether an owner has a job in hand still."""
    found = store.value(f"select 1 from attempts {_MINE}", {"attempt": attempt, "owner": owner})
    return found is not None


def finish(store: Store, owner: str, attempt: str, outcome: Outcome, now: float) -> bool:
    """Write down what came of a job; False where it is this owner's no more."""
    values = {"attempt": attempt, "owner": owner, "now": now}
    with store.transaction():
        rows = store.rows(
            "update attempts set state = :state, result_key = :key, score = :score, max_score = :most, "
            "seconds = :seconds, reason = :reason, ended = :now, "
            "clock = case when clock = 'silent' and :clock_bound then 'decided' else clock end, "
            f"{_NOBODYS} {_MINE} returning person",
            {
                **values,
                "state": outcome.state,
                "key": outcome.result_key,
                "score": outcome.score,
                "most": outcome.max_score,
                "seconds": outcome.seconds,
                "reason": outcome.reason,
                "clock_bound": outcome.clock_bound,
            },
        )
        _change(store, rows)
    return bool(rows)


def ask_again(store: Store) -> bool:
    """Have one job that a clock decided about wait again, each job once; False where there is none.

    For a moment when nothing waits: what a busy machine did to its result is gone then. Meanwhile that holds.
    """
    rows = store.rows(
        "update attempts set state = 'waiting', tries = 0, not_before = 0, clock = 'asked again' where id = "
        "(select id from attempts where state = 'graded' and clock = 'decided' order by ended, id limit 1) "
        "returning id"
    )
    return bool(rows)


def fail(store: Store, owner: str, attempt: str, reason: str, now: float) -> bool:
    """Write down that the machine failed, for the last time: it costs the student nothing."""
    with store.transaction():
        rows = store.rows(
            "update attempts set state = 'fault', counts_against_bucket = 0, reason = :reason, ended = :now, "
            f"{_NOBODYS} {_MINE} returning person",
            {"attempt": attempt, "owner": owner, "reason": reason, "now": now},
        )
        _change(store, rows)
    return bool(rows)


def _change(store: Store, rows: list[sqlite3.Row]) -> None:
    """Have the class folder hear of a person whose attempt ended."""
    for row in rows:
        store.rows("update people set changed = 1 where id = ?", (row["person"],))


def put_back(store: Store, owner: str, attempt: str, reason: str | None, not_before: float) -> bool:
    """Have a job wait again, until a moment; where a newer one waits, it is replaced by that. Without a
    reason it was no try."""
    return _let_go(
        store,
        "id = :attempt and lease_owner = :owner",
        {"attempt": attempt, "owner": owner, "reason": reason, "moment": not_before},
    )


def release(store: Store, owner: str) -> bool:
    """Give back all that an owner has in hand, as if it had never been taken."""
    return _let_go(store, "lease_owner = :owner", {"owner": owner, "reason": None, "moment": 0.0})


def release_others(store: Store, owner: str) -> bool:
    """Give back what all others have in hand: for who knows that they are gone."""
    return _let_go(store, "lease_owner is not :owner", {"owner": owner, "reason": None, "moment": 0.0})


def release_expired(store: Store, now: float) -> bool:
    """Give back what nobody has renewed in time."""
    return _let_go(store, "lease_until < :now", {"now": now, "reason": None, "moment": 0.0})


def _let_go(store: Store, whose: str, values: dict[str, object]) -> bool:
    """Have jobs wait again, or be replaced by newer ones; where none failed, no try is counted."""
    rows = store.rows(
        f"update attempts set counts_against_bucket = counts_against_bucket and not ({_NEWER}), "
        f"state = case when {_NEWER} then 'replaced' else 'waiting' end, "
        f"bytes = case when {_NEWER} then 0 else bytes end, "
        "reason = coalesce(:reason, reason), not_before = :moment, "
        "tries = case when :reason is null then max(tries - 1, 0) else tries end, "
        f"{_NOBODYS} where state = 'running' and {whose} returning id",
        values,
    )
    return bool(rows)


def places(store: Store) -> dict[str, Place]:
    """Where all waiting attempts stand, by their ids, in the order in which they will be taken."""
    order, running = turns(store), counts(store)["running"]
    workers, seconds = int(settings.get(store, settings.WORKERS, "1")), usual_seconds(store)
    return {
        attempt: Place(
            ahead, len(order), running, ((ahead + running) // workers + 1) * seconds if workers else inf
        )
        for ahead, attempt in enumerate(order)
    }


def place(store: Store, attempt: str) -> Place | None:
    """Where a waiting attempt stands; None where it does not wait."""
    return places(store).get(attempt)


def turns(store: Store) -> list[str]:
    """The waiting attempts, in the order in which they will be taken, as it looks now."""
    rows = store.rows(
        "select attempts.id, attempts.course from attempts join people on people.id = attempts.person "
        f"join courses on courses.id = attempts.course where state = 'waiting' {_IN_TURN}"
    )
    by_course: dict[str, list[str]] = {}
    for row in rows:
        by_course.setdefault(row["course"], []).append(row["id"])
    longest = max(map(len, by_course.values()), default=0)
    return [line[i] for i in range(longest) for line in by_course.values() if i < len(line)]


def counts(store: Store, course: str | None = None) -> dict[str, int]:
    """How many attempts are in each state, of one course where one is named."""
    states = dict.fromkeys(("waiting", "running", "graded", "refused", "fault", "replaced", "withdrawn"), 0)
    rows = store.rows(
        "select state, count(*) as n from attempts where ?1 is null or course = ?1 group by state", (course,)
    )
    return {**states, **{row["state"]: row["n"] for row in rows}}


def usual_seconds(store: Store) -> float:
    """What a job takes, by the last ones."""
    rows = store.rows(
        "select seconds from attempts where seconds is not null order by ended desc limit ?", (_REMEMBERED,)
    )
    return median(row["seconds"] for row in rows) if rows else _FIRST_GUESS_SECONDS
