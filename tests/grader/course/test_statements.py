"""What a maze file states of solvers. What is said where it is not so: tests/golden/refusals/mazes."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.maze_files import MazeFile, load_maze_file
from grader.errors import MazeFileError
from grader.exercises.kit.draw import dimensions, trees
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.small_mazes import Stated
from lab import EAST, NORTH, SOUTH, Maze, Vector
from tests.grader.course.rubrics import CORNER

HEAD = "name: n\ncatches: c\nvisibility: public\nexercises: [dfs, bfs, perfection]\n"
TWO_WAYS = "maze: |\n  +-+-+\n  |S  |\n  + + +\n  |  E|\n  +-+-+\n"
ROOM = "maze: |\n  +-+-+-+\n  |    S|\n  + + + +\n  |E    |\n  +-+-+-+\n"


def load(folder: Path, stated: str, maze: str = CORNER) -> MazeFile:
    path = folder / "maze.yaml"
    path.write_text(f"{HEAD}{stated}\n{maze}", encoding="utf-8")
    return load_maze_file(path)


def is_true(stated: str, maze: str) -> bool:
    with TemporaryDirectory() as folder:
        try:
            load(Path(folder), stated, maze)
        except MazeFileError as error:
            refused = error
        else:
            return True
    assert refused.line == 5
    return False


def test_what_is_stated_holds_for_all_solvers_of_the_file(tmp_path: Path) -> None:
    file = load(tmp_path, "at_most_visits: 9\nat_most_moves: 3\nmust_visit: [[1, 1], [1, 2]]")
    stated = Stated(at_most_visits=9, at_most_moves=3, must_visit=(Vector(1, 1), Vector(1, 2)))
    assert file.stated == {"dfs": stated, "bfs": stated}


def test_it_may_be_stated_of_one_of_them(tmp_path: Path) -> None:
    file = load(tmp_path, "at_most_visits: {dfs: 4, bfs: 8}\nway: {bfs: [north, east, east]}")
    assert file.stated == {"dfs": Stated(4), "bfs": Stated(8, way=(NORTH, EAST, EAST))}


@given(trees(dimensions()), st.integers(1, 40), st.integers(1, 20))
def test_a_number_is_true_where_every_right_solver_needs_no_more(maze: Maze, visits: int, moves: int) -> None:
    facts = facts_of(maze.to_text())
    drawing = "maze: |\n" + "".join(f"  {line}\n" for line in maze.to_text().split("\n"))
    assert facts.length is not None
    for exercise in ("dfs", "bfs"):
        most = max(len(order) for order in facts.orders[exercise])
        assert is_true(f"at_most_visits: {{{exercise}: {visits}}}", drawing) == (visits >= most)
        assert is_true(f"at_most_moves: {{{exercise}: {moves}}}", drawing) == (moves >= facts.length)


@pytest.mark.parametrize(
    ("stated", "maze", "is_so"),
    [
        ("at_most_visits: {dfs: 5}", ROOM, False),  # one search marks when it finds, another when it visits
        ("at_most_visits: {dfs: 6}", ROOM, True),
        ("way: {bfs: [east, south]}", TWO_WAYS, False),
        ("way: {dfs: [east, south]}", TWO_WAYS, False),
        ("way: {dfs: [east, south]}", TWO_WAYS.replace("+ + +", "+-+ +"), True),
        ("way: {bfs: [north, east]}", CORNER, False),
        ("must_visit: {bfs: [[1, 2]]}", CORNER, True),
        ("must_visit: {bfs: [[2, 3]]}", CORNER, False),  # it may stop where the exit comes in sight
        ("must_visit: {dfs: [[1, 2]]}", ROOM, False),
        ("must_visit: {dfs: [[1, 1]]}", ROOM, False),  # another right order does not come there
    ],
)
def test_no_right_solver_may_break_what_is_stated(stated: str, maze: str, is_so: bool) -> None:
    assert is_true(stated, maze) == is_so


def test_moves_are_read_by_their_names(tmp_path: Path) -> None:
    maze = TWO_WAYS.replace("+ + +", "+-+ +")
    assert load(tmp_path, "way: {dfs: [east, south]}", maze).stated["dfs"].way == (EAST, SOUTH)
