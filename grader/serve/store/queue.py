"""The queue of jobs: their order, the leases of running ones, and their results.

A running job has a lease, which its owner renews; when the lease expires, the job waits again, and a result
from the former owner is not accepted. The courses take turns, and within a course the person who was served
longest ago comes first: nobody is overtaken twice by the same person.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from math import inf
from typing import Final, Literal, get_args

from grader.model import Limits
from grader.serve.store import attempts, marks, settings
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store

LEASE_SECONDS: Final = 60.0
"""A lease expires 60 seconds after it was last renewed."""
LONGEST_REST_SECONDS: Final = 30.0
"""A job is put back for at most 30 seconds; a longer wait means that the clock was set back, and is
ignored."""
_READY: Final = f"""
    from attempts join people on people.id = attempts.person join courses on courses.id = attempts.course
    where state = 'waiting' and unread = 0
    and (not_before <= :now or not_before > :now + {LONGEST_REST_SECONDS})
    and not exists (
        select 1 from attempts as other where other.person = attempts.person and other.state = 'running')"""
_NEWER: Final = """result_key is null and exists (
    select 1 from attempts as n
    where n.person = attempts.person and n.state = 'waiting' and n.result_key is null and n.unread = 0)"""
_IN_TURN: Final = "order by courses.served, courses.id, people.served, attempts.at, attempts.id"
_NO_LEASE: Final = "lease_owner = null, lease_until = null"
_IF_LEASED: Final = "where id = :attempt and state = 'running' and lease_owner = :owner"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a job."""

    state: Literal["graded", "refused"]
    result_key: str
    score: float
    max_score: float
    seconds: float
    reason: str = ""
    again: bytes = b""
    """What is kept for a second grading, where a time limit decided a check: it is done when nothing waits
    (see `requeue_clock_bound`)."""
    stamp: str = ""
    """What it was graded with: the course and the grader."""


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """The place of a waiting attempt in the queue."""

    ahead: int
    """The number of waiting jobs that come first."""
    waiting: int
    running: int
    seconds: float
    """Within which time the attempt is graded, if nobody comes before it whose turn it is sooner; infinite
    while there are no workers."""


def claim(store: Store, owner: str, now: float, courses: Collection[str]) -> Attempt | None:
    """Lease the next job of these courses to an owner and return it; None if none is ready."""
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
        if not first_grading(store, found):
            store.rows("delete from progress where attempt = ?", (found,))
        _move_to_end(store, found)
        return attempts.get(store, found)


def first_grading(store: Store, attempt: str) -> bytes:
    """Return what is kept of the first grading of a job whose second is to come; empty without one."""
    return bytes(store.value("select again from attempts where id = ?", (attempt,)) or b"")


def _move_to_end(store: Store, attempt: str) -> None:
    """Move the course and the person to the end of their rounds."""
    turn = store.value("select max((select max(served) from people), (select max(served) from courses)) + 1")
    for table, whose in (("people", "person"), ("courses", "course")):
        of_attempt = f"(select {whose} from attempts where id = ?)"
        store.rows(f"update {table} set served = ? where id = {of_attempt}", (turn, attempt))


def renew(store: Store, owner: str, now: float) -> None:
    """Renew all leases of an owner."""
    store.rows(
        "update attempts set lease_until = ? where state = 'running' and lease_owner = ?",
        (now + LEASE_SECONDS, owner),
    )


def holds_lease(store: Store, owner: str, attempt: str) -> bool:
    """Tell whether an owner still holds the lease of a job."""
    found = store.value(f"select 1 from attempts {_IF_LEASED}", {"attempt": attempt, "owner": owner})
    return found is not None


def finish(store: Store, owner: str, attempt: str, outcome: Outcome, now: float) -> bool:
    """Record the result of a job; return False if the owner no longer holds its lease."""
    changes = (
        "state = :state, result_key = :result_key, score = :score, max_score = :max_score, "
        "seconds = :seconds, reason = :reason, stamp = :stamp, again = :again"
    )
    return _end(store, changes, {**asdict(outcome), "attempt": attempt, "owner": owner, "now": now})


def requeue_clock_bound(store: Store) -> bool:
    """Queue one job for its second grading, where a time limit decided; return False if there is none.

    It is meant for a time when nothing waits, when the machine is not busy. The old result is valid until the
    new one arrives.
    """
    rows = store.rows(
        "update attempts set state = 'waiting', tries = 0, not_before = 0 where id = "
        "(select id from attempts where state = 'graded' and again != x'' order by ended, id limit 1) "
        "returning id"
    )
    return bool(rows)


def fail(store: Store, owner: str, attempt: str, reason: str, now: float) -> bool:
    """Record that a job failed with a machine fault and is given up; it does not count against the limit.

    Return False if the owner no longer holds its lease.
    """
    values = {"attempt": attempt, "owner": owner, "reason": reason, "now": now}
    return _end(store, "state = 'fault', counts_against_bucket = 0, reason = :reason", values)


def _end(store: Store, changes: str, values: Mapping[str, object]) -> bool:
    """End a job if its owner holds the lease; flag the person, so that the class folder is updated."""
    with store.transaction():
        people = store.column(
            f"update attempts set {changes}, ended = :now, {_NO_LEASE} {_IF_LEASED} returning person", values
        )
        marks.flag(store, *people)
    return bool(people)


def put_back(store: Store, owner: str, attempt: str, reason: str | None, not_before: float) -> bool:
    """Return a job to the queue until ``not_before``; if a newer attempt waits, that replaces it.

    Without a reason, the try does not count. Return False if the owner does not hold the lease.
    """
    whose = "id = :attempt and lease_owner = :owner"
    return _requeue(store, whose, reason, not_before, attempt=attempt, owner=owner)


def release(store: Store, owner: str) -> bool:
    """Return all jobs of an owner to the queue, as if they had never been taken."""
    return _requeue(store, "lease_owner = :owner", owner=owner)


def release_others(store: Store, owner: str) -> bool:
    """Return the jobs of all other owners to the queue; the caller knows that these are dead."""
    return _requeue(store, "lease_owner is not :owner", owner=owner)


def release_expired(store: Store, now: float) -> bool:
    """Return the jobs with expired leases to the queue."""
    return _requeue(store, "lease_until < :now", now=now)


def _requeue(
    store: Store, whose: str, reason: str | None = None, moment: float = 0.0, **values: object
) -> bool:
    """Return jobs to the queue, or mark them as replaced by newer ones; without a reason, no try is
    counted."""
    rows = store.rows(
        f"update attempts set counts_against_bucket = counts_against_bucket and not ({_NEWER}), "
        f"state = case when {_NEWER} then 'replaced' else 'waiting' end, "
        f"bytes = case when {_NEWER} then 0 else bytes end, "
        "reason = coalesce(:reason, reason), not_before = :moment, "
        "tries = case when :reason is null then max(tries - 1, 0) else tries end, "
        f"{_NO_LEASE} where state = 'running' and {whose} returning id",
        {**values, "reason": reason, "moment": moment},
    )
    return bool(rows)


def places(store: Store) -> dict[str, QueuePlace]:
    """Return the places of all waiting attempts, by id, in the order of the queue."""
    order, running = list_waiting(store), count_by_state(store)["running"]
    workers = int(settings.get(store, settings.WORKERS, "1"))
    seconds = float(settings.get(store, settings.PURSE, str(Limits().submission_wall_seconds)))
    return {
        attempt: QueuePlace(
            ahead, len(order), running, ((ahead + running) // workers + 1) * seconds if workers else inf
        )
        for ahead, attempt in enumerate(order)
    }


def list_waiting(store: Store) -> list[str]:
    """Return the ids of the waiting attempts, in the order in which they will be taken if none is added."""
    rows = store.rows(
        "select attempts.id, attempts.course from attempts join people on people.id = attempts.person "
        f"join courses on courses.id = attempts.course where state = 'waiting' and unread = 0 {_IN_TURN}"
    )
    by_course: dict[str, list[str]] = {}
    for row in rows:
        by_course.setdefault(row["course"], []).append(row["id"])
    longest = max(map(len, by_course.values()), default=0)
    return [line[i] for i in range(longest) for line in by_course.values() if i < len(line)]


def count_by_state(store: Store, course: str | None = None) -> dict[str, int]:
    """Count the attempts in each state, of one course if that is named."""
    states: dict[str, int] = dict.fromkeys(get_args(attempts.State), 0)
    rows = store.rows(
        f"select {attempts.STATE}, count(*) as n from attempts where ?1 is null or course = ?1 group by 1",
        (course,),
    )
    return {**states, **{row["state"]: row["n"] for row in rows}}
