"""The seconds of a submission, shared out: each exercise, known by its file, has a purse of its own.

Nobody spends what is another's. What an exercise leaves over goes to all that come after it, once none of its
calls is still to come.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Final

LEAST_SHARE: Final = 1 / 15
"""However few calls it has, an exercise gets a fifteenth of the time; of more than 15, each the same part."""


def shares_of(calls: Mapping[str, int]) -> dict[str, float]:
    """Return the share of the time of each file, by how many calls are planned of it; they sum to 1."""
    least = min(LEAST_SHARE, 1 / max(1, len(calls)))
    rest, planned = 1 - least * len(calls), sum(calls.values())
    return {
        file: least + rest * (count / planned if planned else 1 / len(calls)) for file, count in calls.items()
    }


class Purses:
    """What is left of the seconds of a submission."""

    def __init__(self, seconds: float, shares: Mapping[str, float]) -> None:
        """Fill the purses; a file that is not in ``shares`` has one with all the seconds."""
        self._seconds = seconds
        self._own = {file: share * seconds for file, share in shares.items()}
        self._over = 0.0
        """What exercises have left over that are done."""
        self.spent: defaultdict[str, float] = defaultdict(float)
        """The seconds that the calls of a file took so far."""
        self.calls: Counter[str] = Counter()
        """How many there were."""

    def left(self, file: str) -> float:
        """Return how many seconds the calls of a file may still take."""
        return self._own.get(file, self._seconds) + self._over

    def spend(self, file: str, seconds: float) -> None:
        """Take seconds from the purse of a file, and what is not in there from what others have left over."""
        self.spent[file] += seconds
        own = self._own.get(file, self._seconds) - seconds
        self._own[file] = max(0.0, own)
        self._over = max(0.0, self._over + min(0.0, own))

    def close(self, file: str) -> None:
        """Give what is left in the purse of a file to all others."""
        self._over += self._own.get(file, 0.0)
        self._own[file] = 0.0
