"""What may decide a mark and was not looked at is asked about until a person gives its points, or none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.cli import main
from grader.exports.grades_csv import open_kinds
from grader.feedback.text import format_result
from grader.languages import said
from grader.model import unseen, unseen_remark
from grader.results import in_english, remark_data
from tests.grader.batch.marked_class import Adjust, adjust, mark, out, record, report, results_of

pytestmark = pytest.mark.processes

__all__ = ["adjust", "out"]
"""Fixtures of the neighbour."""

NAME = "ada_1"
WHAT = said("left_archives", count=8)


@pytest.fixture
def waiting(out: Path) -> Path:
    """A class in which the second check of one submission waits for its points."""
    results = results_of(50.0)
    told: Any = in_english({"message": unseen(WHAT)})
    results["exercises"][0]["checks"][1] |= {"status": "unmarked", **told}
    record(out, NAME, results, staff=results)
    report(out)
    return out


def second(out: Path) -> tuple[str, float]:
    results = json.loads((out / NAME / "results.json").read_bytes())
    check = results["exercises"][0]["checks"][1]
    return check["status"], check["score"]


def test_a_check_that_was_not_looked_at_is_told_wherever_work_is_read(
    waiting: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert open_kinds(waiting) == {NAME: ("unseen",), "cleo_3": ("refused",)}
    assert mark(waiting, NAME) == ("50", "graded")
    told = "dfs.b: Not looked at: 8 archives of a submission are opened at the most."
    assert told in (waiting / "index.html").read_text(encoding="utf-8")
    assert main(["review", str(waiting)]) == 0
    assert told in capsys.readouterr().out
    assert f"look at it: {told}" in format_result(json.loads((waiting / NAME / "results.json").read_bytes()))


def test_only_points_close_it(waiting: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(waiting), "--done", "unseen", "--by", "grace"]) == 1
    assert "grader adjust --check dfs.b POINTS" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "came", "final"),
    [
        (("--check", "dfs.b", "50"), ("passed", 50.0), "100"),
        (("--check", "dfs.b", "20"), ("failed", 20.0), "70"),
        (("--check", "dfs.b", "0"), ("failed", 0.0), "50"),
        (("--score", "60"), ("skipped", 0.0), "60"),
        (("--exempt",), ("skipped", 0.0), ""),
    ],
)
def test_a_decision_closes_it_and_undone_opens_it_again(
    waiting: Path, adjust: Adjust, change: tuple[str, ...], came: tuple[str, float], final: str
) -> None:
    adjust(NAME, *change)
    assert (second(waiting), mark(waiting, NAME)[0]) == (came, final)
    assert NAME not in open_kinds(waiting)
    adjust(NAME, "--undo", reason="")
    assert second(waiting) == ("unmarked", 0.0)
    assert open_kinds(waiting)[NAME] == ("unseen",)


def test_a_check_that_is_withdrawn_asks_nobody(waiting: Path) -> None:
    given = ["--reason", "unfair", "--by", "grace", "--yes"]
    assert main(["withdraw", str(waiting), "dfs.b", *given]) == 0
    assert NAME not in open_kinds(waiting)
    assert mark(waiting, NAME) == ("100", "graded")


def test_what_no_check_waits_for_is_closed_by_looking(out: Path) -> None:
    record(out, NAME, {**results_of(90.0), "intake": [remark_data(unseen_remark(WHAT, "big.zip"))]})
    report(out)
    assert open_kinds(out)[NAME] == ("unseen",)
    assert main(["review", str(out), "--done", "unseen", "--by", "grace"]) == 0
    assert NAME not in open_kinds(out)
