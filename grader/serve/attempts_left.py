"""Counts the attempts that a student has left: a token bucket, computed from the times of past attempts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grader.course.attempts import Allowance

_HOUR: Final = 3600.0
_ROUNDING_ERROR: Final = 1e-9
"""Sums of fractions may be off by this much."""


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
