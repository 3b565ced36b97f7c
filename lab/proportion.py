"""The rule of proportion: which part of its points a lost check gives. The grade and the kit follow it.

What an exercise may lose at most goes by how many ordinary cases are wrong in it. Ordinary is what a student
would try: mazes of any shape up to 20 x 20. What is wrong on few of them loses at most a third of its
exercise; from there the most that can be lost grows evenly, and what is wrong on a quarter of them may lose
everything. Each check gives its points, or a part of them, first; only where more is lost than that, the
checks that look at their cases one by one give back enough.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from statistics import fmean
from typing import Final

NEARLY_ALL: Final = 0.9
"""Where at least nine of ten cases are right, weighed by their size, a check may give part of its points."""
SIZES: Final = (6 * 6, 12 * 12, 20 * 20)
"""Cases of up to 36, of 144, of 400 cells or steps, and larger ones, weigh alike, however many they are."""
MOST_CASES: Final = 0.5
"""What is wrong on more than half of the ordinary cases loses at least half of its exercise."""
FEW_CASES: Final = 0.1
"""What is wrong on less than a tenth of them loses at most a third."""
LEAST_LOST: Final = 1 / 3
SOME_CASES: Final = 0.25
"""What is wrong on a quarter of them or more may lose everything."""
MOST_GIVEN: Final = 0.9
"""A check that is lost gives at most nine tenths of its points."""
STEPS: Final = 20
"""Parts are multiples of a twentieth, so that scores have few digits."""


@dataclass(frozen=True, slots=True)
class Earned:
    """What a check is worth, what part of it is earned, and whether right cases may earn more."""

    points: float
    part: float
    may_rise: bool

    @property
    def lost(self) -> float:
        """The points that it loses."""
        return self.points * (1 - self.part)


def rounded_down(share: float) -> float:
    """Return the part that a lost check gives at the most for a share of its cases, 0 to 1."""
    return min(MOST_GIVEN, floor(STEPS * share + 1e-9) / STEPS)


def most_lost(wrong_share: float) -> float:
    """Return which part of an exercise may be lost, by the share of ordinary cases that are wrong, 0 to 1."""
    beyond = max(0.0, wrong_share - FEW_CASES) / (SOME_CASES - FEW_CASES)
    return min(1.0, LEAST_LOST + (1 - LEAST_LOST) * beyond)


def in_proportion(checks: Mapping[str, Earned], wrong_share: float) -> dict[str, float]:
    """Return the part that each check gives, by its id, raised until no more is lost than may be.

    All checks that may rise lose the same part less, however much each had lost.
    """
    parts = {id_: check.part for id_, check in checks.items()}
    allowed = most_lost(wrong_share) * sum(check.points for check in checks.values())
    rising = {id_: check for id_, check in checks.items() if check.may_rise and check.lost}
    open_to_rise = sum(check.lost for check in rising.values())
    fixed = sum(check.lost for check in checks.values()) - open_to_rise
    if fixed + open_to_rise <= allowed or not open_to_rise:
        return parts
    kept = max(0.0, allowed - fixed) / open_to_rise
    for id_, check in rising.items():
        part = ceil(STEPS * (1 - (1 - check.part) * kept) - 1e-9) / STEPS
        parts[id_] = max(check.part, min(part, MOST_GIVEN))
    return parts


def size_class(size: int) -> int:
    """Return the place of a case's size among ``SIZES``."""
    return bisect_left(SIZES, size)


def share_right(by_size: Mapping[int, Sequence[bool]]) -> float:
    """Return the share of cases that are right, 0 to 1; each size weighs the same."""
    return fmean(map(fmean, by_size.values()))


def share_wrong(by_size: Iterable[Mapping[int, Sequence[bool]]]) -> float | None:
    """Return the share of ordinary cases that are wrong, of several kinds that weigh the same; None where
    there is none."""
    ordinary = [[fmean(right) for size, right in each.items() if size < len(SIZES)] for each in by_size]
    return 1 - fmean(map(fmean, filter(None, ordinary))) if any(ordinary) else None


def part_given(share: float, partial: float, *, right_where_answered: bool) -> float:
    """Return the part of its points that a lost check gives, by the share of its cases that are right.

    ``partial`` is the rubric's; ``right_where_answered`` says that no answer that came is wrong.
    """
    part = partial if share >= NEARLY_ALL else 0.0
    return max(part, rounded_down(share)) if right_where_answered else part
