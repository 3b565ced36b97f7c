"""The lines of ``maze check`` while it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.commands.check_report import Board, Result


def untested(points: int) -> str:
    return f"{points} without a public test"


def test_a_terminal_shows_how_far_the_exercise_has_come_that_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    board = Board(Path("ada"), is_live=True)
    results = [Result("test_search", "one"), Result("test_search", "two"), Result("test_dfs", "three")]
    board.update(results)
    for result in results:
        result.end(passed=True, message="")
        board.update(results)
    line = "\r  {:<22} {}            "
    assert capsys.readouterr().out == "Public tests of ada\n\n" + "".join(
        [
            line.format("The search", "0 of 2 have run"),
            line.format("The search", "1 of 2 have run"),
            line.format("The search", f"0 of 15 points in sight, {untested(15)}") + "\n",
            line.format("Depth-first search", "0 of 1 have run"),
            line.format("Depth-first search", "0 of 20 points in sight, 2 hidden, 18 without a public test")
            + "\n",
        ]
    )


def test_no_progress_breaks_into_two_lines_on_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    board = Board(Path("ada"), is_live=True)
    results = [Result("test_search", str(number)) for number in range(12)]
    board.update(results)
    progress = capsys.readouterr().out.rpartition("\r")[2]
    assert progress.startswith("  The search")
    assert len(progress) <= 40
