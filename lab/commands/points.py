"""The rubric's points behind the public tests, so that no count of tests contradicts the mark."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields

from lab.course import HIDDEN_POINTS, POINTS


@dataclass(frozen=True, slots=True)
class Points:
    """Points of the rubric, by the results of the public tests."""

    in_sight: float = 0
    """Of checks whose public tests all passed."""
    lost: float = 0
    """Of checks with a failed public test."""
    untested: float = 0
    """Of checks without public tests."""
    not_run: float = 0
    """Of checks with a public test that was not run, and none that failed."""
    hidden: float = 0
    """Of hidden checks."""

    @property
    def total(self) -> float:
        """All points together."""
        return self.in_sight + self.lost + self.untested + self.not_run + self.hidden

    def __add__(self, other: Points) -> Points:
        return Points(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    def __str__(self) -> str:
        rest = f", {self.hidden:g} hidden" if self.hidden else ""
        rest += f", {self.untested:g} without a public test" if self.untested else ""
        rest += f", {self.not_run:g} not run" if self.not_run else ""
        return f"{self.in_sight:g} of {self.total:g} points in sight{rest}"


def points_of(
    exercise: str, tried: Collection[str], lost: Collection[str], not_run: Collection[str] = ()
) -> Points:
    """Return an exercise's points, given its checks with public tests, those with a failed one, and those
    of which one was not run and none failed.

    All are named without the exercise.
    """
    worth = POINTS.get(exercise, {})
    return Points(
        in_sight=sum(
            points for check, points in worth.items() if check in tried and check not in {*lost, *not_run}
        ),
        lost=sum(points for check, points in worth.items() if check in lost),
        not_run=sum(points for check, points in worth.items() if check in not_run),
        untested=sum(points for check, points in worth.items() if check not in tried),
        hidden=HIDDEN_POINTS.get(exercise, 0),
    )
