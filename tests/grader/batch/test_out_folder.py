"""Where the results of a class may be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.grader.command import grader


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    (tmp_path / "class" / "ada").mkdir(parents=True)
    return tmp_path / "class"


@pytest.mark.parametrize("out", [".", "ada/.."])
def test_the_results_cannot_lie_where_the_submissions_do(submissions: Path, out: str) -> None:
    done = grader("batch", submissions, "--out", submissions / out, "--sandbox", "process")
    assert done.returncode == 1
    assert "expected a folder other than that of the submissions: name another with --out" in done.stderr
    assert [path.name for path in submissions.rglob("*")] == ["ada"]
