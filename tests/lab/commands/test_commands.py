"""What ``maze`` says and writes: pictures, mazes, ways, questions, films and guesses."""

from __future__ import annotations

import io
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from lab.cli import main
from lab.questions import page
from tests.lab.drawn import SAMPLE
from tests.lab.running import maze, maze_apart, refused, write_dfs

WAY = "south, east, north, east, east, south, south, south, east, south"


def test_export(folder: Path) -> None:
    plain = maze(folder, "export", "sample_maze.txt", "plain.svg")
    assert plain.stdout == "5 x 5 grid loaded from sample_maze.txt\nPicture written to plain.svg\n"
    solved = maze(folder, "export", "sample_maze.txt", "solved.svg", "--solution", "--algorithm", "DFS")
    assert solved.stdout.splitlines()[1] == f"Solution: [{WAY}]"
    pictures = [(folder / name).read_text(encoding="utf-8") for name in ("plain.svg", "solved.svg")]
    for picture in pictures:
        assert ET.fromstring(picture).tag.endswith("svg")
    assert ["stroke-dasharray" in picture for picture in pictures] == [False, True]


def test_generate_names_the_seed_that_it_chose(folder: Path) -> None:
    said = maze(folder, "generate", "new.txt", "-r", "4", "-c", "7").stdout.splitlines()[0]
    seed = said.removeprefix("4 x 7 grid written to new.txt (seed ").removesuffix(")")
    maze(folder, "generate", "again.txt", "-r", "4", "-c", "7", "--seed", seed)
    assert (folder / "again.txt").read_bytes() == (folder / "new.txt").read_bytes()


@pytest.mark.parametrize(
    ("lines", "flaws"),
    [
        ("", []),
        (
            "maze.break_wall((1, 1), SOUTH); maze.break_wall((1, 2), SOUTH); maze.break_wall((1, 1), EAST); "
            "maze.break_wall((2, 1), EAST)",
            ["it is not perfect, as 2 of its 6 cells cannot be reached from the entry",
             "it is not perfect, as more than one way leads to some cells"],
        ),
        ("maze.break_wall((1, 1), EAST)",
         ["it is not perfect, as 4 of its 6 cells cannot be reached from the entry"]),
    ],
)  # fmt: skip
def test_a_maze_that_is_not_perfect_is_written_with_a_warning(
    folder: Path, lines: str, flaws: list[str]
) -> None:
    make = "AldousBroder(self.rng).generate(factory, dimension)"
    if lines:
        make = "factory.fully_disconnected(dimension)"
    (folder / "generators/my_generator.py").write_text(
        "from lab import *\nfrom lab.generators import AldousBroder\n\n\nclass MyGenerator(Generator):\n"
        f"    def generate(self, factory, dimension):\n        maze = {make}\n"
        f"        {lines or 'pass'}\n        return maze\n",
        encoding="utf-8",
    )
    result = maze(folder, "generate", "x.txt", "-r", "2", "-c", "3", "--algorithm", "mine", "--seed", "1")
    assert result.returncode == 0
    assert result.stdout.startswith("2 x 3 grid written to x.txt (seed 1)\n+-+-+-+\n")
    assert result.stderr.splitlines() == [
        f"maze: warning: the maze is not as asked for: {flaw}" for flaw in flaws
    ]
    assert (folder / "x.txt").is_file()


def test_a_solver_that_never_ends_leaves_the_race_to_the_others(folder: Path) -> None:
    endless = (
        "class BFS:\n    def solve(self, maze, search):\n        while True: maze.valid_moves_at((1, 1))\n"
    )
    (folder / "solvers/bfs.py").write_text(endless)
    (folder / "room.txt").write_text("+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+\n")
    assert maze(folder, "race", "room.txt").stdout.splitlines()[1:] == [
        "solver     moves    visited",
        "DFS        2        3 cells",
        "BFS        BFS went on for ever, and was stopped: "
        "the maze has 4 cells, and the moves of (1, 1) were asked for 13200 times",
        "Dijkstra   2        4 cells",
    ]


# --- solve ------------------------------------------------------------------------------------------


@pytest.mark.processes
def test_the_installed_command_solves_too(folder: Path) -> None:
    command = [str(Path(sys.executable).parent / "maze"), "solve", "mazes/dead_end.txt"]
    output = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    assert output == "2 x 3 grid loaded from mazes/dead_end.txt\nSolution: [south, east, east]\n"


def test_a_deep_recursion_has_room(folder: Path) -> None:
    write_dfs(
        folder,
        "def go(at, seen):\n"
        "    if maze.is_exit(at): return []\n"
        "    for move in maze.valid_moves_at(at):\n"
        "        if at + move not in seen:\n"
        "            seen.add(at + move)\n"
        "            rest = go(at + move, seen)\n"
        "            if rest is not None: return [move, *rest]\n"
        "return go(maze.entry, {maze.entry})",
    )
    corridor = "+" + "-+" * 5000 + "\n|S" + " " * 9997 + "E|\n+" + "-+" * 5000 + "\n"
    (folder / "long.txt").write_text(corridor, encoding="utf-8")
    output = maze(folder, "solve", "long.txt", "--algorithm", "DFS").stdout
    assert output.count("east") == 4999


@pytest.mark.processes
@pytest.mark.parametrize("use", ["import queue\nqueue.mine()", "from queue import mine"])
def test_pythons_own_module_is_imported_as_in_the_grader(folder: Path, use: str) -> None:
    (folder / "queue.py").write_text("def mine(): return 1\n")
    (folder / "solvers" / "dfs.py").write_text(f"{use}\nclass DFS:\n    def solve(self, maze, search): ...\n")
    solved = maze_apart(folder, "solve", "sample_maze.txt", "--algorithm", "DFS")
    checked = maze_apart(folder, "check", "dfs")
    assert solved.returncode == 1
    assert "0 of 20 so far" in checked.stdout
    for result in (solved, checked):
        assert "queue is Python's own module: rename your queue.py" in result.stdout + result.stderr


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("raise NotImplementedError", "DFS is still to be written: it raises NotImplementedError"),
        ("raise SystemExit(3)", "DFS raised SystemExit: 3"),
        ("self.solve(maze, search)", "DFS raised RecursionError: maximum recursion depth exceeded"),
    ],
)
def test_the_last_line_says_what_an_exception_means(folder: Path, body: str, line: str) -> None:
    write_dfs(folder, body)
    result = maze(folder, "solve", "sample_maze.txt", "--algorithm", "DFS")
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith(f"maze: {line}")
    assert len(result.stderr.splitlines()) < 20


def test_it_writes_the_file_of_the_name(folder: Path) -> None:
    result = maze(folder, "questions", "Ada Lovelace")
    assert (result.returncode, result.stderr) == (0, "")
    assert "analysis.py: three mazes, and twelve answers to fill in" in result.stdout
    assert (folder / "analysis.py").read_text(encoding="utf-8") == page("Ada Lovelace")


def test_answers_are_not_written_over_unless_asked_for(folder: Path) -> None:
    filled = page("Ada").replace("bfs_room = []", "bfs_room = [(1, 1)]")
    for text in (filled, "order = search()\n", "dfs_room = [(1, 1)\n", "import os\n"):
        (folder / "analysis.py").write_text(text, encoding="utf-8")
        assert "has answers" in refused(folder, "questions", "Ada")
        assert (folder / "analysis.py").read_text(encoding="utf-8") == text
    (folder / "analysis.py").write_bytes(b"\xff\xfe")
    assert "has answers" in refused(folder, "questions", "Ada")
    assert maze(folder, "questions", "Ada", "--force").returncode == 0
    assert (folder / "analysis.py").read_text(encoding="utf-8") == page("Ada")


def test_check_says_what_is_filled_in_and_never_what_is_right(folder: Path) -> None:
    file = folder / "analysis.py"
    asked = ("check", "analysis", str(folder))
    assert (
        maze(folder, *asked).stdout == 'There is no analysis.py: make it with  maze questions "YOUR NAME"\n'
    )
    maze(folder, "questions", "Ada")
    assert maze(folder, "check", "analysis.py").stdout.startswith(
        "analysis.py: 0 of 12 answers are filled in; "
    )
    text = file.read_text(encoding="utf-8")
    for line, filled in {
        "dfs_room = []": "dfs_room = [[1, 1], (1, 2)]",
        "bfs_room = []": "bfs_room = [(1, 1), (9, 9)]",
        "first_room = []": "first_room = 'BFS'",
        "dfs_corridor = []": "dfs_corridor = search()",
        "bfs_corridor = []": "",
        "first_corridor = []": "first_corridor = ['bfs']",
        "dfs_regular = []": "dfs_regular = 7",
    }.items():
        text = text.replace(line, filled)
    file.write_text(text, encoding="utf-8")
    assert maze(folder, *asked).stdout.splitlines() == [
        "analysis.py: 2 of 12 answers are filled in; whether they are right is hidden.",
        "  still empty: dijkstra_room, dijkstra_corridor, bfs_regular, dijkstra_regular, first_regular",
        "  bfs_room cannot be read: element 2 is (9, 9), expected a cell such as (1, 2) of 4 x 5",
        "  dfs_corridor cannot be read: line 46: dfs_corridor = search()",
        "  bfs_corridor cannot be read: it is not there",
        "  first_corridor cannot be read: element 1 is 'bfs', expected some of DFS, BFS, Dijkstra",
        "  dfs_regular cannot be read: expected a list, got 7",
    ]


REFERENCE = str(Path(__file__).parents[3] / "reference")


@pytest.fixture
def sample(tmp_path: Path) -> str:
    (tmp_path / "sample.txt").write_text(SAMPLE)
    return str(tmp_path / "sample.txt")


@pytest.mark.parametrize(
    ("suffix", "start"), [("svg", b"<svg"), ("html", b"<!doctype html>"), ("gif", b"GIF89a")]
)
def test_generators_are_filmed(
    tmp_path: Path, suffix: str, start: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"film.{suffix}"
    assert main(["film", str(path), "--of", "mine", "-r", "3", "-c", "4", "--submission", REFERENCE]) == 0
    assert path.read_bytes().startswith(start)
    out = capsys.readouterr().out
    assert out.startswith("Film of ")
    assert out.endswith(f" moments written to {path}\n")


@pytest.mark.parametrize("of", ["DFS", "BFS", "Dijkstra", "left-hand"])
def test_solvers_and_the_left_hand_rule_are_filmed(
    tmp_path: Path, sample: str, of: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "film.svg"
    assert main(["film", str(path), "--of", of, "--maze", sample, "--submission", REFERENCE]) == 0
    loaded, written = capsys.readouterr().out.splitlines()
    assert loaded == f"5 x 5 grid loaded from {sample}"
    assert written.startswith("Film of ")
    assert path.read_text(encoding="utf-8").startswith("<svg")


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


@pytest.mark.processes
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


@pytest.mark.processes
@pytest.mark.parametrize("answer", ["x", "1", "1 2 3", "99999 1", "-1 2", "1.5 2"])
def test_what_is_no_cell_is_no_try(guess: Guess, answer: str) -> None:
    said = guess(answer, "1 2")
    assert sum("Type the next cell as row and column" in line for line in said) == 2
    assert said[-2:] == ["Right at once: 1 of 1", "DFS returned a way of 5 moves."]
