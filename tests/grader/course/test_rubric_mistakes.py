"""The rubric: every way in which one can be wrong."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.plan import load_plan
from grader.course.rubric import load_rubric
from grader.errors import InputError, MazeFileError, RubricError
from lab import Maze, Vector
from tests.grader.course.rubrics import CHECKS, GOOD, MAZE, load


def test_a_wrong_maze_is_refused_in_its_own_file(path: Path) -> None:
    maze = path.parent / "tests" / "one.yaml"
    maze.write_text(MAZE.replace("|S|", "|s|"))
    with pytest.raises(MazeFileError) as caught:
        load(path, GOOD)
    assert (caught.value.path, caught.value.line, caught.value.column) == (maze, 7, 4)


def test_the_visit_orders_are_asked_about(path: Path) -> None:
    path.write_text(GOOD)

    def complain(exercise: str, _maze: Maze, order: tuple[Vector, ...]) -> str:
        return f"{exercise} has {len(order)} cell too many"

    with pytest.raises(MazeFileError, match="dfs has 1 cell too many"):
        load_rubric(path, checks=CHECKS, agrees=complain)


def test_a_check_that_no_hidden_maze_is_left_for_is_refused_where_it_stands(path: Path) -> None:
    checks = "    dfs.valid-path: 99\n    dfs.hidden-mazes: 1\n"
    path.write_text(f"title: T\nexamples: 1\nmazes: tests\nexercises:\n  dfs:\n   checks:\n{checks}")
    (path.parent / "tests" / "one.yaml").write_text(MAZE.replace("hidden", "public"))
    with pytest.raises(RubricError, match=r"rubric\.yaml:8:5: dfs\.hidden-mazes: expected at least one"):
        load_plan(path)


@given(place=st.integers(0, len(GOOD) - 1), text=st.text(max_size=3))
def test_any_change_is_accepted_or_refused_with_the_file(place: int, text: str) -> None:
    with TemporaryDirectory() as folder:
        Path(folder, "tests").mkdir()
        path = Path(folder, "rubric.yaml")
        path.write_text(GOOD[:place] + text + GOOD[place + 1 :], encoding="utf-8", newline="")
        message = refusal(path)
    assert message is None or message.startswith(str(path))


def refusal(path: Path) -> str | None:
    try:
        rubric = load_rubric(path, checks=CHECKS)
    except InputError as error:
        return str(error)
    assert sum(check.points for exercise in rubric.exercises for check in exercise.checks) == 100
    return None
