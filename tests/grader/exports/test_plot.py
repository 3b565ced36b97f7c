"""The class as a plot."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.cli import main
from tests.grader.batch.marked_class import out, record, report, results_of

__all__ = ["out"]
"""Fixture of the neighbour."""


def _plot(results: Path, path: Path) -> bytes:
    assert main(["export", "plot", str(results), "--out", str(path), "--anyway"]) == 0
    return path.read_bytes()


def test_scores_and_exercises_are_drawn_and_the_same_class_is_the_same_file(
    out: Path, tmp_path: Path
) -> None:
    record(out, "bob_2", results_of(40.0))
    report(out)
    drawn = _plot(out, tmp_path / "a.svg")
    assert drawn == _plot(out, tmp_path / "b.svg")
    text = drawn.decode()
    titles = {exercise["title"] for exercise in results_of(40.0)["exercises"]}
    assert all(title in text for title in (*titles, "2 submissions", "Score in percent"))
    assert _plot(out, tmp_path / "a.png").startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["class.pdf", "class"])
def test_other_kinds_of_files_are_refused(
    out: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    report(out)
    assert main(["export", "plot", str(out), "--out", str(tmp_path / name), "--anyway"]) == 1
    assert "expected a name that ends in .svg or .png" in capsys.readouterr().err
