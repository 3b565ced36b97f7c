"""The points of ``maze check``: those that the grade gives for the same cases."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lab.commands.check_report import Result
from lab.commands.points import Points, parts_of, points_of
from lab.course import POINTS

SMALL, ORDINARY = 0, 1


def counted(*checks: str, right: int = 0, wrong: int = 0, elsewhere: int = 0, size: int = SMALL) -> Result:
    """A test of drawn cases of one size."""
    cases = [(size, True, False)] * right + [(size, False, False)] * wrong + [(size, False, True)] * elsewhere
    return Result("test_dfs", "", checks, passed=not wrong + elsewhere, is_drawn=True, cases=tuple(cases))


def of(check: str, *tests: Result) -> float:
    """The points of a check of DFS, where all others are right."""
    others = [counted(name, right=60) for name in POINTS["dfs"] if name != check]
    return parts_of("dfs", [*others, *tests])[check]


def test_a_check_gives_all_where_its_tests_pass_and_half_where_nearly_all_cases_are_right() -> None:
    assert of("valid-path", counted("valid-path", right=60)) == 4
    assert of("valid-path", counted("valid-path", right=57, wrong=3)) == 2
    assert of("repeat", Result("test_dfs", "", ("repeat",), passed=False)) == 0


def test_each_size_weighs_the_same() -> None:
    """All of the larger ones are wrong: that is half of the cases, and loses no more than may be."""
    some = counted("valid-path", right=60), counted("valid-path", wrong=2, size=ORDINARY)
    assert of("valid-path", *some) < 4 / 2


def test_what_does_not_end_where_other_checks_are_about_that_costs_its_own_share_only() -> None:
    assert of("visit-order", counted("visit-order", right=30, elsewhere=30)) == pytest.approx(4 / 2)


def test_who_is_wrong_everywhere_loses_everything() -> None:
    tests = [counted(name, wrong=60) for name in POINTS["dfs"]]
    assert points_of("dfs", tests) == Points(lost=18, hidden=2)


def _skipped(check: str) -> Result:
    return Result("test_dfs", "", (check,), passed=False, message="Not run: others went on for ever.")


@pytest.mark.parametrize(
    ("tests", "waits", "told"),
    [
        ([counted(*POINTS["dfs"], right=60)], False, "18 of 20 so far; 2 are hidden"),
        ([counted("valid-path", right=60)], False, "4 of 20 so far; 2 are hidden, 14 without a public test"),
        (
            [counted("valid-path", right=60), _skipped("no-way")],
            False,
            "4 of 20 so far; 2 are hidden, 11 without a public test, 3 not run",
        ),
        ([], True, "0 of 20 so far; 20 are not judged before Search is right"),
    ],
)
def test_what_is_right_so_far_is_said_so(tests: Sequence[Result], told: str, *, waits: bool) -> None:
    assert str(points_of("dfs", tests, waits=waits)) == told


def test_one_point_is_one() -> None:
    assert (
        str(Points(so_far=13, hidden=1, untested=1))
        == "13 of 15 so far; 1 is hidden, 1 without a public test"
    )
