"""Chooses the attempt of a student that counts, and the time from which its hidden checks are shown."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from grader.course.late_work import Arrival, LatePolicy, compute_lateness, share_left
from grader.course.rubric import Rubric
from grader.model import LateJson
from grader.serve.store.attempts import Attempt


def choose_attempt(rubric: Rubric, known: Sequence[Attempt], deadline: float | None) -> Attempt | None:
    """Return the attempt that counts, or None if no attempt has a mark; ``deadline`` is the student's own.

    A refused attempt counts only if all attempts were refused; of equal marks, the earlier attempt counts.
    """
    marked = [each for each in known if each.has_result and each.state != "withdrawn"]
    readable = [each for each in marked if each.state != "refused"] or marked
    if rubric.attempts.counts == "last":
        return max(readable, key=lambda each: each.number, default=None)
    return max(
        readable,
        key=lambda each: (score_after_lateness(rubric.late, each, deadline), -each.number),
        default=None,
    )


def score_after_lateness(policy: LatePolicy | None, attempt: Attempt, deadline: float | None) -> float:
    """Return an attempt's score after the deduction for lateness."""
    return (attempt.score or 0.0) * share_left(lateness_of_attempt(policy, attempt, deadline))


def lateness_of_attempt(
    policy: LatePolicy | None, attempt: Attempt, deadline: float | None
) -> LateJson | None:
    """Return how late an attempt is; None if it is not late."""
    extension = None if deadline is None else datetime.fromtimestamp(deadline, UTC)
    return compute_lateness(policy, Arrival(local_time(policy, attempt.at), extension))


def local_time(policy: LatePolicy | None, at: float) -> datetime:
    """Return a time, given in seconds since the epoch, in the time zone of the deadline."""
    return datetime.fromtimestamp(at, policy.deadline.tzinfo if policy else UTC)


def hidden_shown_from(rubric: Rubric, deadline: float | None = None) -> float:
    """Return the time from which a student sees hidden checks, and so the whole mark; 0 for at once.

    ``deadline`` is the student's own. Both are seconds since the epoch.
    """
    if rubric.late is None or rubric.hidden_feedback != "after_deadline":
        return 0.0
    return max(rubric.late.deadline.timestamp(), deadline or 0.0)
