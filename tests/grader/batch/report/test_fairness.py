"""Which check may be unfair: on classes small enough to be worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from grader.batch.report.fairness import Record, item_rest, records, together
from grader.exports.grades_csv import CheckRow, ExerciseRow, Row
from grader.intake.class_listing import HandIn

POINTS = {"a": 50.0, "b": 45.0, "c": 5.0}
STATUSES = {"+": "passed", "-": "failed", "0": "missing", "s": "skipped"}


def row(name: str, marks: str, *, maze: str = "", message: str = "wrong") -> Row:
    """A submission by the marks of its checks: passed, failed, missing, skipped."""
    checks = tuple(
        CheckRow(id_, f"Check {id_}", STATUSES[mark], 0.0, points, "", message, maze)
        for (id_, points), mark in zip(POINTS.items(), marks, strict=True)
    )
    exercise = ExerciseRow("dfs", "DFS", 0.0, 100.0, checks)
    return Row(HandIn(name, ()), "graded", 0.0, 100.0, (exercise,), 1.0, 0, ())


def of(rows: Sequence[Row]) -> Mapping[str, Record]:
    return {record.id: record for record in records(rows)}


def test_passed_and_failed_are_counted_without_those_who_did_not_hand_it_in() -> None:
    found = of([row("ada", "+++"), row("bob", "+-+"), row("cleo", "0-0"), row("dan", "s-+")])
    assert [(each.passed, each.failed, each.count) for each in found.values()] == [
        (2, 0, 4),
        (1, 3, 4),
        (3, 0, 4),
    ]
    assert [each.exercise for each in found.values()] == ["DFS"] * 3


@pytest.mark.parametrize(
    ("passed", "rest", "found"),
    [
        ([True, False], [90.0, 10.0], 1.0),
        ([True, False], [10.0, 90.0], -1.0),
        ([True, True, False, False], [10.0, 90.0, 10.0, 90.0], 0.0),
        ([True, True, True, False], [3.0, 2.0, 1.0, 0.0], 3 / 15**0.5),
        ([True, True], [90.0, 10.0], None),
        ([True, False], [50.0, 50.0], None),
        ([True], [50.0], None),
        ([], [], None),
    ],
)
def test_the_item_rest_correlation(passed: list[bool], rest: list[float], found: float | None) -> None:
    assert item_rest(passed, rest) == (None if found is None else pytest.approx(found))


def test_a_check_that_strong_work_fails_is_odd() -> None:
    rows = [row("ada", "++-"), row("bob", "++-"), row("cleo", "--+")]
    assert of(rows)["c"].separation == pytest.approx(-1.0)
    assert not of(rows)["c"].is_odd
    found = of([*rows, row("dan", "++-")])
    assert (found["a"].is_odd, found["c"].is_odd) == (False, True)


@pytest.mark.parametrize(
    ("marks", "only", "is_harsh"),
    [
        (["++-", "++-", "--+"], ["0", "1"], True),
        (["+-+", "+++"], [], False),
        (["++0", "+-0"], [], False),
        (["0+-", "+++"], [], False),
    ],
)
def test_who_failed_only_one_check(marks: list[str], only: list[str], is_harsh: bool) -> None:
    found = of([row(str(number), mark) for number, mark in enumerate(marks)])["c"]
    assert [each.name for each in found.only] == only
    assert found.is_harsh is is_harsh


def test_checks_that_the_same_submissions_fail() -> None:
    found = records([row("ada", "--+"), row("bob", "--+"), row("cleo", "+++")])
    assert [[check.id for check in group] for group in together(found)] == [["a", "b"]]
    assert together(records([row("ada", "--+"), row("bob", "+++")])) == []
    assert together(records([row("ada", "--+"), row("bob", "-++")])) == []
