"""How many attempts a student has left: a bucket that fills up again, worked out of when attempts came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grader.course.attempts import Allowance

_HOUR: Final = 3600.0
_ALMOST: Final = 1e-9
"""What sums of shares are off by."""


@dataclass(frozen=True, slots=True)
class Tickets:
    """What a student may hand in."""

    left: int | None
    """Attempts that are left now; None where there is no limit."""
    next_at: float | None
    """When there is one more, in seconds; None where none will come."""

    @property
    def is_open(self) -> bool:
        """Whether one more attempt is taken."""
        return self.left is None or self.left > 0


def tickets(allowance: Allowance, times: Sequence[float], now: float) -> Tickets:
    """What is left after attempts at these times, the earliest first."""
    if allowance.burst is None:
        return Tickets(None, None)
    level, since = float(allowance.burst), 0.0
    for at in times:
        level, since = max(0.0, _filled(allowance, level, at - since) - 1), at
    level = _filled(allowance, level, now - since)
    left = int(level + _ALMOST)
    if left >= allowance.burst or not allowance.per_hour:
        return Tickets(left, None)
    return Tickets(left, now + (left + 1 - level) * _HOUR / allowance.per_hour)


def _filled(allowance: Allowance, level: float, seconds: float) -> float:
    """What is in the bucket after some time."""
    return min(float(allowance.burst or 0), level + max(0.0, seconds) * allowance.per_hour / _HOUR)
