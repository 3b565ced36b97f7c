"""The exercises that are already graded while an attempt is running."""

from __future__ import annotations

from grader.batch.job import ExerciseDone
from grader.serve.store.database import Store


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
    return [ExerciseDone(**dict(row)) for row in store.rows(statement, (attempt,))]
