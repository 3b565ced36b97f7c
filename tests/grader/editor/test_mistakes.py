"""The mistakes that a maze catches, as the command tells them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from grader.editor.server import find_caught_mistakes
from grader.errors import GraderError
from grader.shipped import folder

MAZE = """name: A corner
catches: a solver that goes West first
visibility: hidden
exercises: [dfs]
maze: |
  +-+-+
  |E S|
  + + +
  |   |
  +-+-+
"""


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """Two wrong submissions, one of which goes North before anything else, as it should."""
    folder_ = tmp_path / "bank"
    for kind in ("right", "wrong"):
        (folder_ / kind).mkdir(parents=True)
    right = (folder("reference") / "solvers" / "dfs.py").read_text(encoding="utf-8")
    for file in ("solvers/search.py", "solvers/dfs.py"):
        (folder_ / "base" / file).parent.mkdir(parents=True, exist_ok=True)
        (folder_ / "base" / file).write_bytes((folder("reference") / file).read_bytes())
    turned = right.replace("reversed(maze.valid_moves_at(position))", "maze.valid_moves_at(position)[::-1]")
    (folder_ / "wrong" / "dfs-as-it-should.py").write_text(turned, encoding="utf-8")
    (folder_ / "wrong" / "dfs-other-end.py").write_text(right.replace("last_pending", "first_pending"))
    (folder_ / "right.yaml").write_text("{}\n")
    (folder_ / "wrong.yaml").write_text(
        "dfs-as-it-should: {dfs: {lost: [visit-order]}}\ndfs-other-end: {dfs: {lost: [visit-order]}}\n"
    )
    return folder_


@pytest.mark.processes
def test_the_names_of_those_that_are_caught(bank: Path, tmp_path: Path) -> None:
    file = tmp_path / "corner.yaml"
    file.write_text(MAZE.replace("|E S|", "|S  |").replace("|   |\n  +-+-+\n", "|  E|\n  +-+-+\n"))
    found = find_caught_mistakes(file, ["--bank", str(bank), "--sandbox", "process"])
    assert found == {"dfs": {"due": 2, "caught": ["wrong--dfs-other-end"]}}


def test_what_the_command_cannot_do_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for errors, told in (
        ("grader: a\ngrader: wrong.yaml:3:1: it is", "^wrong.yaml:3:1: it is$"),
        ("", "not graded"),
    ):
        ended = subprocess.CompletedProcess([], 1, "", errors)
        monkeypatch.setattr(subprocess, "run", lambda *_, ended=ended, **__: ended)
        with pytest.raises(GraderError, match=told):
            find_caught_mistakes(tmp_path / "wrong.yaml")
