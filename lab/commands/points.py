"""The rubric's points behind the public tests, given as the grade gives them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from statistics import fmean
from typing import Final, Protocol

from lab.course import BY_PERSON, HIDDEN_POINTS, PARTIAL, POINTS
from lab.proportion import Earned, in_proportion, part_given, share_right, share_wrong

LEFT_BEHIND: Final = ("repeat",)
"""Checks of what a call leaves behind for the next: a mistake of its own, which is made good by no other
check."""


class Tested(Protocol):
    """A test that ended."""

    @property
    def checks(self) -> Sequence[str]:
        """The grade's checks that it stands for, without their exercise."""

    @property
    def cases(self) -> Sequence[tuple[int, bool, bool]]:
        """Its cases: the class of the size, whether it is right, and whether no answer came where other
        checks are about that."""

    @property
    def is_drawn(self) -> bool:
        """Whether it looks at drawn cases, each by itself."""

    @property
    def passed(self) -> bool | None:
        """Whether it passed; what was not run did not."""

    @property
    def not_run(self) -> bool:
        """Whether it was left out."""


@dataclass(frozen=True, slots=True)
class Points:
    """Points of the rubric, by the results of the public tests."""

    so_far: float = 0
    """Those that the public checks give."""
    lost: float = 0
    """Those that they do not give."""
    untested: float = 0
    """Of checks without public tests."""
    not_run: float = 0
    """Of checks with a public test that was not run, and none that failed."""
    hidden: float = 0
    """Of hidden checks."""
    by_person: float = 0
    """Of checks that a person marks: neither in sight nor lost."""
    waiting: float = 0
    """Of exercises that are not judged before Search is right."""

    @property
    def total(self) -> float:
        """All points together."""
        found: float = sum(getattr(self, field.name) for field in fields(self))
        return found

    @property
    def tested(self) -> float:
        """Those that a test stood for."""
        return self.so_far + self.lost

    def __add__(self, other: Points) -> Points:
        return Points(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    def __str__(self) -> str:
        rest = {
            "hidden": self.hidden,
            "marked by a person": self.by_person,
            "without a public test": self.untested,
            "not run": self.not_run,
            "not judged before Search is right": self.waiting,
        }
        told = [f"{points:g} {what}" for what, points in rest.items() if points]
        if told:
            points, _, what = told[0].partition(" ")
            told[0] = f"; {points} {'is' if points == '1' else 'are'} {what}"
        return f"{self.so_far:g} of {self.total:g} so far{', '.join(told)}"


def points_of(exercise: str, tests: Collection[Tested], *, waits: bool = False) -> Points:
    """Return an exercise's points, given its tests; ``waits`` says that a wrong Search is in the way."""
    worth, hidden = POINTS.get(exercise, {}), HIDDEN_POINTS.get(exercise, 0)
    by_person = BY_PERSON.get(exercise, 0)
    if waits:
        return Points(waiting=sum(worth.values()) + hidden, by_person=by_person)
    given = parts_of(exercise, tests)
    tested = {check for test in tests for check in test.checks}
    return Points(
        so_far=round(sum(given.values()), 2),
        lost=round(sum(worth[check] - points for check, points in given.items()), 2),
        not_run=sum(points for check, points in worth.items() if check in tested and check not in given),
        untested=sum(points for check, points in worth.items() if check not in tested),
        hidden=hidden,
        by_person=by_person,
    )


def parts_of(exercise: str, tests: Collection[Tested]) -> dict[str, float]:
    """Return the points that each check gives, but for those of which a test was not run, and none failed."""
    by_check = {check: [test for test in tests if check in test.checks] for check in POINTS.get(exercise, {})}
    failed = {
        check
        for check, some in by_check.items()
        if any(each.passed is False and not each.not_run for each in some)
    }
    judged = {
        check: points
        for check, points in POINTS.get(exercise, {}).items()
        if check in failed or (by_check[check] and not any(each.not_run for each in by_check[check]))
    }
    parts = _parts(judged, by_check, failed)
    return {check: parts[check] * points for check, points in judged.items()}


def _parts(
    worth: Mapping[str, float], by_check: Mapping[str, Sequence[Tested]], failed: Collection[str]
) -> dict[str, float]:
    """Return which part of its points each check gives, by the rule of the grade."""
    earned, wrong, weights = dict[str, Earned](), list[float](), list[float]()
    for check, points in worth.items():
        drawn = [test for test in by_check[check] if test.is_drawn]
        is_any_right = any(is_right for test in drawn for _, is_right, _ in test.cases)
        cases = [case for test in (by_check[check] if is_any_right else drawn) for case in test.cases]
        by_size: dict[int, list[bool]] = {}
        for size, is_right, _ in cases:
            by_size.setdefault(size, []).append(is_right)
        is_seen = bool(drawn)
        share = share_right(by_size) if is_seen and cases else 0.0
        if is_seen and (share_of_wrong := share_wrong([by_size])) is not None:
            wrong.append(share_of_wrong)
            weights.append(points)
        if check not in failed:
            earned[check] = Earned(points, 1.0, may_rise=False)
            continue
        answered = is_seen and all(is_right or elsewhere for _, is_right, elsewhere in cases)
        part = part_given(share, PARTIAL, right_where_answered=answered) if is_seen and PARTIAL else 0.0
        earned[check] = Earned(points, part, may_rise=share > 0)
    if not PARTIAL or not wrong or not failed:
        return {check: each.part for check, each in earned.items()}
    lost = [check for check in failed if check not in LEFT_BEHIND]
    others = {
        check: Earned(each.points, 1.0, may_rise=False) for check, each in earned.items() if check not in lost
    }
    risen = in_proportion({**earned, **others}, fmean(wrong, weights))
    return {check: risen[check] if check in lost else each.part for check, each in earned.items()}
