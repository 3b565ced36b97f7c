"""Exercises that are out of line with the rest of a submission, or with what it was before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from grader.batch.journal import Journal, JournalRow, outliers, shares_of
from grader.batch.report.review_items import KINDS, PROPOSALS
from grader.batch.report.rows import rows_of
from grader.intake.class_listing import HandIn
from grader.model import ExerciseJson
from tests.grader.batch.report.conftest import result


def exercises(*scores: float) -> list[ExerciseJson]:
    """Exercises of 20 points each."""
    made = [
        {"id": str(number), "title": f"Exercise {number}", "score": score, "max_score": 20.0, "checks": []}
        for number, score in enumerate(scores)
    ]
    return cast(list[ExerciseJson], made)


@pytest.mark.parametrize(
    ("scores", "before", "told"),
    [
        ([6, 20, 16], [], ["Exercise 0: 30% of its points, and 90% of all others"]),
        ([6.1, 20, 20], [], []),
        ([6, 20, 15.9], [], []),
        ([0, 20], [], []),
        ([20, 20, 20], [], []),
        ([0, 0, 20], [], []),
        ([10, 10, 10], [20, 10, 0], ["Exercise 0: 50% of its points, and 100% before"]),
        ([10, 10, 10], [19.9, 10, 0], []),
        ([0, 20, 20], [20, 20, 20], ["Exercise 0: 0% of its points, and 100% of all others"]),
    ],
)
def test_what_is_out_of_line(scores: Sequence[float], before: Sequence[float], told: list[str]) -> None:
    earlier = json.dumps(shares_of(exercises(*before))) if before else ""
    assert list(outliers(exercises(*scores), earlier)) == told


def save(out: Path, score: float, key: str, status: Any = "graded") -> None:
    content = (json.dumps(result(score))).encode()
    with Journal(out) as journal:
        journal.record(JournalRow("ada", key, status, 1.0, ""), content, b"")


def earlier(out: Path) -> str:
    with Journal(out) as journal:
        return journal.entries()["ada"].earlier


def test_the_journal_keeps_what_a_result_was_before(tmp_path: Path) -> None:
    save(tmp_path, 100.0, "first")
    assert earlier(tmp_path) == ""
    save(tmp_path, 20.0, "second")
    assert json.loads(earlier(tmp_path)) == {"dfs": 1.0}
    hand_in = HandIn("ada", (), student="ada")
    with Journal(tmp_path) as journal:
        (row,) = rows_of(tmp_path, [hand_in], journal.entries(), 30.0)
    assert [(concern.kind, concern) for concern in row.concerns] == [
        ("outlier", "DFS: 20% of its points, and 100% before")
    ]
    assert "outlier" in KINDS.keys() - PROPOSALS.keys()


def test_a_result_that_was_none_is_nothing_to_compare_with(tmp_path: Path) -> None:
    save(tmp_path, 100.0, "first")
    save(tmp_path, 90.0, "")
    save(tmp_path, 80.0, "second")
    assert json.loads(earlier(tmp_path)) == {"dfs": 1.0}


def test_one_that_was_asked_to_be_graded_again_is(tmp_path: Path) -> None:
    save(tmp_path, 100.0, "first")
    with Journal(tmp_path) as journal:
        journal.grade_again("ada")
        assert journal.entries()["ada"].key not in ("first", "")
    save(tmp_path, 0.0, "second")
    assert json.loads(earlier(tmp_path)) == {"dfs": 1.0}


@pytest.mark.parametrize("changed", [{}, result(90.0)], ids=["unreadable", "another score"])
def test_results_that_somebody_changed_are_nothing_to_compare_with(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    save(tmp_path, 100.0, "first")
    (tmp_path / "ada" / "results.json").write_text(json.dumps(changed))
    save(tmp_path, 0.0, "second")
    assert earlier(tmp_path) == ""
