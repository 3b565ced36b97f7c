"""The rules of a course on attempts: which one counts, how many are left, and when hidden checks are shown.

What is left is a token bucket, computed from the times of past attempts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from grader.course.attempts import Allowance
from grader.course.late_work import Arrival, LatePolicy, compute_lateness, share_left
from grader.course.rubric import Rubric
from grader.model import LateJson
from grader.serve.store.attempts import Attempt

_HOUR: Final = 3600.0
_ROUNDING_ERROR: Final = 1e-9
"""Sums of fractions may be off by this much."""


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


@dataclass(frozen=True, slots=True)
class AttemptsLeft:
    """The attempts that a student has left."""

    left: int | None
    """The attempts that are left now; None if there is no limit."""
    next_at: float | None
    """The time (seconds since the epoch) of the next additional attempt; None if there will be none."""

    @property
    def is_open(self) -> bool:
        """Tell whether one more attempt is allowed."""
        return self.left is None or self.left > 0


def count_attempts_left(allowance: Allowance, times: Sequence[float], now: float) -> AttemptsLeft:
    """Count what is left at ``now`` after attempts at these times, the earliest first."""
    if allowance.burst is None:
        return AttemptsLeft(None, None)
    level, since = float(allowance.burst), 0.0
    for at in times:
        level, since = max(0.0, _level_after(allowance, level, at - since) - 1), at
    level = _level_after(allowance, level, now - since)
    left = int(level + _ROUNDING_ERROR)
    if left >= allowance.burst or not allowance.per_hour:
        return AttemptsLeft(left, None)
    return AttemptsLeft(left, now + (left + 1 - level) * _HOUR / allowance.per_hour)


def _level_after(allowance: Allowance, level: float, seconds: float) -> float:
    """Return the level of the bucket after some seconds."""
    return min(float(allowance.burst or 0), level + max(0.0, seconds) * allowance.per_hour / _HOUR)
