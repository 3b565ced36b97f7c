"""The exercises of each attempt as they were graded: the points of what students see at once."""

from __future__ import annotations

from typing import Final

from grader.batch.job import ExerciseDone
from grader.serve.store.database import Store

_FIRST_PASSES: Final = """
    with tried as (
        select id, person, at from attempts
        where course = ? and result_key is not null and state != 'withdrawn'),
    begun as (select person, min(at) as at from tried group by person)
    select person, exercise, min(case when score >= max_score - 1e-6 then tried.at end) - begun.at as seconds
    from begun join tried using (person) left join progress on attempt = tried.id and max_score > 0
    group by person, exercise"""


def add(store: Store, attempt: str, step: ExerciseDone, now: float) -> None:
    """Record a graded exercise, unless the attempt has been deleted."""
    store.rows(
        "insert into progress select ?1, ?2, ?3, ?4, ?5 where exists (select 1 from attempts where id = ?1) "
        "on conflict do update set "
        "score = excluded.score, max_score = excluded.max_score, at = excluded.at",
        (attempt, step.exercise, step.score, step.max_score, now),
    )


def list_for_attempt(store: Store, attempt: str) -> list[ExerciseDone]:
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
