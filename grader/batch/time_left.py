"""How long a batch still takes: a range, from the spread of what it has graded so far.

Submissions take from a second to minutes, and those that are done early are the short ones. So the time of
one is taken from the clock of the whole run: its seconds divided by the submissions that it graded, of which
those that are still running count half.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil, exp, sqrt
from statistics import NormalDist, mean, variance
from typing import Final

ENOUGH: Final = 5
"""Before five submissions are graded, nothing is said."""
SURE: Final = 0.9
"""The time that is left lies in the range in nine cases of ten."""
_USUAL_SPREAD: Final = 1.0
_USUAL_COUNT: Final = 4
"""A standard deviation as large as the mean is assumed, as if four submissions had shown it."""
_QUANTILE: Final = NormalDist().inv_cdf((1 + SURE) / 2)

_UNITS: Final = ((3600.0, "h"), (60.0, "min"), (1.0, "s"))


class TimeLeft:
    """The times of one run."""

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin a run over ``total`` submissions now; ``clock`` tells seconds."""
        self._total, self._clock, self._began = total, clock, clock()
        self._seconds: list[float] = []
        self.running = 0
        """How many submissions are being graded at this moment."""
        self._done = 0

    def add(self, seconds: float | None) -> None:
        """Count a submission that is done; ``seconds`` is None where it did not have to be graded."""
        self._done += 1
        if seconds is not None:
            self._seconds.append(seconds)

    def range(self) -> tuple[float, float] | None:
        """Return the least and the most seconds that are left; None where it is too early to say, or over."""
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
        """Return what is left in words; empty where it is too early to say."""
        found = self.range()
        return "" if found is None else format_range(*found)


def format_range(least: float, most: float) -> str:
    """Return a range of seconds as people say it, in whole minutes or hours where it ends beyond two."""
    unit, name = next((unit, name) for unit, name in _UNITS if most >= 2 * unit or unit == 1)
    low, high = int(least / unit), max(1, ceil(most / unit))
    return f"{low} to {high} {name} left" if low else f"at most {high} {name} left"
