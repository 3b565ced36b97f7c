"""How long a batch still takes: a range, from the spread of what it has graded so far.

Submissions take from a second to minutes, and the first ones to finish are the short ones. So the time per
submission is the wall time of the run divided by the number of submissions, those still running counted as
half.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil, exp, sqrt
from statistics import NormalDist, mean, variance
from typing import Final

ENOUGH: Final = 5
"""No estimate is given before this many submissions are graded."""
SURE: Final = 0.9
"""The probability that the time left lies in the range."""
_USUAL_SPREAD: Final = 1.0
_USUAL_COUNT: Final = 4
"""The prior: a standard deviation as large as the mean, weighted like this many submissions."""
_QUANTILE: Final = NormalDist().inv_cdf((1 + SURE) / 2)

_UNITS: Final = ((3600.0, "h"), (60.0, "min"), (1.0, "s"))


class TimeLeft:
    """The times of one run."""

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin a run over ``total`` submissions now; ``clock`` returns seconds."""
        self._total, self._clock, self._began = total, clock, clock()
        self._seconds: list[float] = []
        self.running = 0
        """How many submissions are being graded now."""
        self._done = 0

    def add(self, seconds: float | None) -> None:
        """Count a finished submission; ``seconds`` is None if it did not have to be graded."""
        self._done += 1
        if seconds is not None:
            self._seconds.append(seconds)

    def range(self) -> tuple[float, float] | None:
        """Return the least and the most seconds left; None if it is too early to say, or over."""
        graded, left = len(self._seconds), self._total - self._done
        if graded < ENOUGH or left <= 0:
            return None
        half = min(self.running, left) / 2
        middle = (self._clock() - self._began) / (graded + half) * (left - half)
        wide = exp(_QUANTILE * self._spread() * sqrt(1 / graded + 1 / left))
        return middle / wide, middle * wide

    def _spread(self) -> float:
        """Return the standard deviation of the times of submissions, as a share of their mean."""
        own = variance(self._seconds) / (mean(self._seconds) or 1.0) ** 2
        known = len(self._seconds) - 1
        return sqrt((_USUAL_COUNT * _USUAL_SPREAD**2 + known * own) / (_USUAL_COUNT + known))

    def told(self) -> str:
        """Return the time left in words; empty if it is too early to say."""
        found = self.range()
        return "" if found is None else format_range(*found)


def format_range(least: float, most: float) -> str:
    """Format a range of seconds in words, in whole minutes, or in hours if it ends beyond two."""
    unit, name = next((unit, name) for unit, name in _UNITS if most >= 2 * unit or unit == 1)
    low, high = int(least / unit), max(1, ceil(most / unit))
    return f"{low} to {high} {name} left" if low else f"at most {high} {name} left"
