"""``grader maze``, as an instructor calls it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.request import urlopen

import pytest

from grader.cli import main
from grader.course.maze_files import as_yaml, check_size, head_as_yaml, load_maze_file
from grader.course.plan import checks_with, disagreement, load_plan, read_maze
from grader.course.yaml_source import MAX_BYTES
from grader.editor import server as editor
from grader.editor.server import Server
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.folders.code import know
from grader.shipped import folder
from lab import Dimension, Factory, Maze

MAZES = folder("grader") / "mazes"


@pytest.mark.parametrize(("cycles", "islands"), [(0, 0), (3, 0), (0, 2), (2, 1)])
def test_a_new_maze_is_of_the_kind_that_was_asked_for(tmp_path: Path, cycles: int, islands: int) -> None:
    file = tmp_path / "corner.yaml"
    asked = ["--rows", "5", "--columns", "6", "--cycles", str(cycles), "--islands", str(islands)]
    assert main(["maze", "new", str(file), *asked, "--catches", "a: solver # that stops"]) == 0
    made = load_maze_file(file)
    assert (made.name, made.catches, made.visibility) == ("Corner", "a: solver # that stops", "hidden")
    facts = facts_of(made.text)
    assert facts.passage_count == 29 + cycles - islands
    assert bool(facts.islands) == bool(islands)
    assert bool(facts.cycle) == bool(cycles)


def test_what_is_there_is_not_overwritten_and_what_is_wrong_not_written(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("kept")
    assert main(["maze", "new", str(file), "--catches", "x"]) == 1
    assert file.read_text() == "kept"
    assert main(["maze", "new", str(tmp_path / "m.yaml"), "--catches", "x", "--islands", "99"]) == 1
    assert not (tmp_path / "m.yaml").exists()


@pytest.mark.parametrize(
    ("size", "fits"), [((700, 300), (389, 166)), ((1, 10**9), (1, 43_680)), ((255, 255), (254, 254))]
)
def test_beyond_the_size_of_a_file_the_size_that_fits_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], size: tuple[int, int], fits: tuple[int, int]
) -> None:
    file, (rows, columns) = tmp_path / "m.yaml", size
    assert main(["maze", "new", str(file), "--catches", "x", "-r", str(rows), "-c", str(columns)]) == 1
    shown = f"the largest of this shape is {fits[0]} x {fits[1]}\n"
    assert capsys.readouterr().err.endswith(f"too small for {rows} x {columns}; {shown}")
    head = head_as_yaml("M", "x", "hidden")
    check_size(Dimension(*fits), head)
    drawn = Factory().fully_connected(Dimension(*fits))
    assert len(as_yaml(drawn, "M", "x", "hidden").encode()) <= MAX_BYTES


def test_the_visit_orders_that_are_shown_can_be_pasted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "loops.svg"
    assert main(["maze", "show", str(MAZES / "cycle-round-the-entry.yaml"), "--svg", str(picture)]) == 0
    shown = capsys.readouterr().out
    orders = shown[shown.index("visit_order:") : shown.index("\n\nPicture written")]
    file = tmp_path / "pasted.yaml"
    file.write_text(f"{(MAZES / 'cycle-round-the-entry.yaml').read_text().rstrip()}\n{orders}\n")
    assert set(load_maze_file(file, agrees=disagreement).visit_order) == {"dfs", "bfs", "dijkstra"}
    assert "Perfect: no, a cycle through (3, 2) (3, 1)" in shown
    assert picture.read_text().startswith("<svg")


def test_the_checks_are_those_of_the_plan() -> None:
    """What a maze lands in is told without drawing all cases."""
    asked: dict[str, set[str]] = {}
    for exercise in load_plan().exercises:
        for check in exercise.checks:
            for case in check.cases:
                if case.maze is not None:
                    asked.setdefault(case.maze, set()).add(check.id)
    rubric = load_plan().rubric
    for maze in map(read_maze, sorted(MAZES.iterdir())):
        assert set(checks_with(maze, rubric)) <= asked[Maze.to_text(maze.maze)]


COURSE = """\
title: Graphs
examples: 2
exercises: {graph: {checks: {graph.list: 60, graph.hidden-mazes: {points: 40, visibility: hidden}}}}
"""


@pytest.fixture
def course(tmp_path: Path) -> Iterator[Path]:
    """A course with the exercise graph alone, which else stays known, and with one maze."""
    (tmp_path / "mazes").mkdir()
    (tmp_path / "rubric.yaml").write_text(COURSE)
    head = "name: A\ncatches: a\nvisibility: hidden\nexercises: [graph]\nmaze: |\n  "
    drawing = "+-+-+-+-+-+\n  |S        |\n  + +-+-+-+ +\n  |        E|\n  +-+-+-+-+-+\n"
    (tmp_path / "mazes" / "mine.yaml").write_text(head + drawing)
    yield tmp_path
    know(())


def test_the_checks_are_those_of_the_course_the_maze_lies_in(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["maze", "lint", str(course / "mazes")]) == 0
    assert capsys.readouterr().out.endswith("hidden: graph.hidden-mazes\n")
    shipped = str(folder("grader") / "rubric.yaml")
    assert main(["maze", "show", str(course / "mazes" / "mine.yaml"), "--rubric", shipped]) == 1
    assert "exercises: expected one of dfs, bfs, dijkstra, perfection, got 'graph'" in capsys.readouterr().err


def test_all_mistakes_of_a_folder_are_told_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text("name: A\n")
    (tmp_path / "b.yaml").write_text((MAZES / "cycle-round-the-entry.yaml").read_text())
    (tmp_path / "c.yaml").write_text("maze: 3\n")
    assert main(["maze", "lint", str(tmp_path)]) == 1
    told = capsys.readouterr()
    assert [name in told.err for name in ("a.yaml", "b.yaml", "c.yaml")] == [True, False, True]
    assert "A cycle round the entry, 4 x 4, hidden: dfs.hidden-mazes" in told.out


def test_the_page_asks_by_the_rubric_of_the_course(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[str]] = []

    def find(_path: Path, options: Sequence[str]) -> dict[str, object]:
        asked.append(options)
        return {}

    monkeypatch.setattr(editor, "find_caught_mistakes", find)
    monkeypatch.setattr(Server, "serve_forever", lambda server: server.desk.mistakes())
    maze = course / "mazes" / "mine.yaml"
    assert main(["maze", "edit", str(maze), "--no-browser"]) == 0
    assert asked == [["--rubric", str(course / "rubric.yaml"), "--sandbox", "auto"]]


@pytest.mark.processes
def test_the_page_is_served_until_it_is_stopped(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "grader", "maze", "edit", str(tmp_path / "new.yaml"), "--no-browser"]
    served = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder("grader").parent)
    with served:
        assert served.stdout is not None
        url = served.stdout.readline().strip().rpartition(" ")[2]
        with urlopen(url, timeout=300) as answer:  # noqa: S310 - our own
            assert "<title>New: a test maze</title>" in answer.read().decode()
        served.send_signal(signal.SIGINT)
        assert served.wait(timeout=300) == 0
