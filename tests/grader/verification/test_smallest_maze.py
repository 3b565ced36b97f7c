"""``grader maze find``: the smallest maze on which a wrong submission is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.cli import main
from grader.course.maze_files import load_maze_file
from grader.shipped import folder
from grader.verification.bank import SHIPPED

RUBRIC = """
title: A small rubric
seed: 1
examples: 20
exercises:
  search:
    checks: {search.order: 10}
  bfs:
    checks: {bfs.shortest: 30, bfs.hidden-mazes: 10}
  perfection:
    checks: {perfection.perfect: 30, perfection.extra-passage: {points: 20, visibility: hidden}}
"""

pytestmark = pytest.mark.usefixtures("_untraced")


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    file = tmp_path / "rubric.yaml"
    file.write_text(f"{RUBRIC}mazes: {folder('grader') / 'mazes'}\n")
    return file


def find(wrong: Path, rubric: Path, *more: str) -> int:
    return main(["maze", "find", str(wrong), "--rubric", str(rubric), "--sandbox", "process", *more])


@pytest.mark.processes
def test_a_file_alone_is_wrong_on_the_smallest_maze(
    rubric: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A depth-first search in place of a breadth-first one needs a cycle; the file has no Search with it."""
    out = tmp_path / "found.yaml"
    assert find(SHIPPED / "wrong" / "bfs-is-a-dfs.py", rubric, "--out", str(out)) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("bfs.shortest: On a maze of 2 x 2, ")
    made = load_maze_file(out)
    assert (made.name, made.visibility, made.maze.dimension.position_count) == ("Found", "hidden", 4)


@pytest.mark.processes
def test_what_a_hidden_check_finds_is_made_smaller_too(
    rubric: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert find(SHIPPED / "wrong" / "perfection-always-true.py", rubric) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("perfection.extra-passage: On a maze of 2 x 2, ")
    assert "+-+-+\n|" in shown
