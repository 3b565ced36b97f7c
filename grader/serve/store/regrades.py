"""Courses that are graded again as a whole, and what came of it, beside the results that hold.

A regrade grades the attempts of a course once more, behind all that students hand in. Nobody but the
dispatcher takes them, and it knows which of them it runs: so they have no leases, and those that a dead one
ran simply wait. Until a regrade is published, only the pages for staff read what came of it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, replace
from typing import Final

from grader.api import ExerciseDone
from grader.serve.store import attempts
from grader.serve.store.attempts import Attempt
from grader.serve.store.database import Store
from grader.serve.store.queue import LONGEST_REST_SECONDS, Outcome

_SETTLED: Final = "attempts.state in ('graded', 'refused', 'fault')"
_GRADED: Final = "second.state in ('graded', 'refused')"
_FIELDS: Final = "state, result_key, score, max_score, seconds, reason, again, stamp, ended"
_SECOND: Final = (
    "from second_results as second join regrades on regrades.id = second.regrade "
    "join attempts on attempts.id = second.attempt where attempts.state != 'withdrawn'"
)


@dataclass(frozen=True, slots=True)
class Regrade:
    """A course that is graded again."""

    id: int
    begun: float
    publishing: bool
    count: int
    """The number of its attempts."""
    waiting: int
    failed: int
    """The number of attempts that the machine failed on: these keep the results that they have."""

    @property
    def is_done(self) -> bool:
        """Tell whether all attempts have been graded."""
        return not self.waiting


def begin(store: Store, course: str, now: float) -> bool:
    """Queue the attempts of a course to be graded again; return False if they are already."""
    with store.transaction():
        if get(store, course) is not None:
            return False
        store.insert("regrades", {"course": course, "begun": now})
        store.rows(
            "insert into second_results (attempt, regrade) select attempts.id, regrades.id "
            f"from attempts join regrades using (course) where course = ? and {_SETTLED}",
            (course,),
        )
    return True


def get(store: Store, course: str) -> Regrade | None:
    """Return the regrade of a course; None if there is none."""
    statement = (
        "select id, begun, publishing, count(second.state) as count, "
        "count(*) filter (where second.state = 'waiting') as waiting, "
        "count(*) filter (where second.state = 'fault') as failed from regrades "
        f"left join (select regrade, second.state {_SECOND}) as second on regrade = id "
        "where course = ? group by id"
    )
    return next(iter(store.records(Regrade, statement, (course,))), None)


def claim(store: Store, courses: Iterable[str], running: Collection[str], now: float) -> Attempt | None:
    """Return the next attempt of these courses to be graded again, none of the ``running`` ones; or None."""
    found = store.row(
        f"select second.attempt, second.regrade, second.tries {_SECOND} and second.state = 'waiting' "
        "and attempts.course in (select value from json_each(?)) "
        "and attempts.id not in (select value from json_each(?)) "
        "and (second.not_before <= ? or second.not_before > ?) order by attempts.at, attempts.id limit 1",
        (json.dumps([*courses]), json.dumps([*running]), now, now + LONGEST_REST_SECONDS),
    )
    attempt = attempts.get(store, found["attempt"]) if found else None
    if found is None or attempt is None:
        return None
    return replace(attempt, edition=found["regrade"], tries=found["tries"] + 1, is_second=True)


def finish(
    store: Store, second: Attempt, outcome: Outcome, steps: Iterable[ExerciseDone], now: float
) -> bool:
    """Record what came of an attempt; return False if the regrade was dropped meanwhile."""
    told = json.dumps([[each.exercise, each.score, each.max_score] for each in steps])
    return _put(store, second, {**asdict(outcome), "steps": told, "ended": now})


def fail(store: Store, second: Attempt, reason: str, now: float) -> bool:
    """Record that the machine failed on an attempt."""
    return _put(store, second, {"state": "fault", "reason": reason, "ended": now})


def put_back(store: Store, second: Attempt, not_before: float, *, counts: bool) -> bool:
    """Have an attempt wait until a time; a try ``counts`` if there is a reason for it."""
    return _put(store, second, {"not_before": not_before, "tries": second.tries - (not counts)})


def _put(store: Store, second: Attempt, row: dict[str, object]) -> bool:
    changes = ", ".join(f"{column} = ?" for column in row)
    statement = f"update second_results set {changes} where attempt = ? and regrade = ? returning attempt"
    return bool(store.rows(statement, (*row.values(), second.id, second.edition)))


def requeue_outdated(store: Store, course: str, stamp: str) -> None:
    """Queue again what was graded by another rubric or grader than that of this stamp, or not at all."""
    store.rows(
        "update second_results set state = 'waiting', tries = 0, not_before = 0 where stamp != ? "
        "and regrade in (select id from regrades where course = ? and publishing = 0)",
        (stamp, course),
    )


def with_second(store: Store, course: str, known: Iterable[Attempt]) -> list[Attempt]:
    """Return attempts with what came of the regrade in the place of the results that hold."""
    fields = _FIELDS.replace("again, ", "").replace(", ", ", second.")
    wanted = f"{_SECOND} and {_SETTLED} and {_GRADED} and regrades.course = ?"
    rows = store.rows(f"select attempts.id, second.{fields}, second.regrade as edition {wanted}", (course,))
    found = {row["id"]: dict(row) for row in rows}
    return [replace(each, **found.get(each.id, {})) for each in known]


def ask_to_publish(store: Store, course: str) -> bool:
    """Have a regrade published with the next update of the class folder; return False if it is not done."""
    found = get(store, course)
    if found is None or not found.is_done:
        return False
    store.rows("update regrades set publishing = 1 where id = ?", (found.id,))
    return True


def publish(store: Store, course: str) -> None:
    """Put what came of a regrade in the place of the results that hold; the caller has a transaction."""
    mine = (course,)
    of_course = f"{_GRADED} and regrade = (select id from regrades where course = ?)"
    ids = store.column(
        f"update attempts set ({_FIELDS}, edition) = "
        f"(select {_FIELDS}, regrade from second_results where attempt = attempts.id) "
        f"where {_SETTLED} and id in (select attempt from second_results as second where {of_course}) "
        "returning id",
        mine,
    )
    theirs = "attempt in (select value from json_each(?))"
    store.rows(f"delete from progress where {theirs}", (json.dumps(ids),))
    store.rows(
        "insert into progress select attempt, json_extract(value, '$[0]'), json_extract(value, '$[1]'), "
        "json_extract(value, '$[2]'), ended from second_results join json_each(steps) "
        f"where {theirs}",
        (json.dumps(ids),),
    )
    store.rows("delete from regrades where course = ?", mine)


def drop(store: Store, course: str) -> bool:
    """Drop a regrade that is not being published; return False if there is none."""
    return bool(
        store.rows("delete from regrades where course = ? and publishing = 0 returning id", (course,))
    )


def list_publishing(store: Store) -> list[str]:
    """Return the courses whose regrades are to be published."""
    return store.column("select course from regrades where publishing = 1")


def list_editions(store: Store) -> set[int]:
    """Return the numbers of the regrades that are going on."""
    return set(store.column("select id from regrades"))
