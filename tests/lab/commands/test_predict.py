"""``maze trace --predict``: which cell comes next is asked before it is shown."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lab.running import maze

pytestmark = pytest.mark.processes

Guess = Callable[..., list[str]]
CORRIDOR = "+-+-+-+\n|S    |\n+-+-+ +\n|E    |\n+-+-+-+\n"


@pytest.fixture
def guess(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Guess:
    (folder / "corridor.txt").write_text(CORRIDOR, encoding="utf-8")

    def run(*answers: str) -> list[str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        result = maze(folder, "trace", "corridor.txt", "--algorithm", "DFS", "--predict")
        assert (result.returncode, result.stderr) == (0, "")
        assert not (folder / "trace.html").exists()
        return result.stdout.splitlines()

    return run


def test_each_step_is_asked_before_it_is_shown(guess: Guess) -> None:
    said = guess("1 2", "2,3", "(1, 3)", "", "q")
    answers = [line.partition("next? ")[2] for line in said if "next?" in line]
    assert answers == [
        "Yes, (1, 2).",
        "No, not (2, 3).",
        "Yes, (1, 3).",
        "It is (2, 3).",
        "Right at once: 1 of 3",
    ]
    asked = [line.partition(" Which")[0] for line in said if "next?" in line]
    assert asked == [f"DFS is in {cell}." for cell in ("(1, 1)", "(1, 2)", "(1, 2)", "(1, 3)", "(2, 3)")]
    first = said.index("|*    |")
    assert said.index("|S *  |") > first
    assert said[-1] == "DFS returned a way of 5 moves."


def test_to_the_end_it_shows_the_whole_search(guess: Guess) -> None:
    said = guess("1 2", "1 3", "2 3", "2 2", "2 1")
    assert said[-2:] == ["Right at once: 5 of 5", "DFS returned a way of 5 moves."]
    assert said[-4:-2] == ["|* . .|", "+-+-+-+"]


@pytest.mark.parametrize("answer", ["x", "1", "1 2 3", "99999 1", "-1 2", "1.5 2"])
def test_what_is_no_cell_is_no_try(guess: Guess, answer: str) -> None:
    said = guess(answer, "1 2")
    assert sum("Type the next cell as row and column" in line for line in said) == 2
    assert said[-2:] == ["Right at once: 1 of 1", "DFS returned a way of 5 moves."]


def test_the_end_of_the_input_ends_it(guess: Guess) -> None:
    assert guess()[-2:] == ["Right at once: 0 of 0", "DFS returned a way of 5 moves."]


def test_a_solver_that_goes_nowhere_leaves_nothing_to_guess(folder: Path) -> None:
    (folder / "walled.txt").write_text("+-+-+\n|S|E|\n+-+-+\n", encoding="utf-8")
    result = maze(folder, "trace", "walled.txt", "--algorithm", "BFS", "--predict")
    assert "BFS visits no second cell: there is nothing to guess" in result.stdout
