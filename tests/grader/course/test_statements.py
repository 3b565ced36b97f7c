"""What a maze file states of solvers: read, and refused with what the reference has where it is not so."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course.maze_files import MazeFile, load_maze_file
from grader.errors import MazeFileError
from grader.exercises.kit.cases.fixed_mazes import Stated
from lab import EAST, NORTH
from tests.grader.course.maze_text import CORNER

MAZE = (
    """\
name: Round the corner
catches: a solver that goes the long way round
visibility: public
exercises: [dfs, bfs, perfection]
STATED
"""
    + CORNER
)
TWO_WAYS = "  +-+-+\n  |S  |\n  + + +\n  |  E|\n  +-+-+\n"


def load(tmp_path: Path, stated: str, text: str = MAZE) -> MazeFile:
    path = tmp_path / "maze.yaml"
    path.write_text(text.replace("STATED", stated), encoding="utf-8")
    return load_maze_file(path)


def test_what_is_stated_holds_for_all_solvers_of_the_file(tmp_path: Path) -> None:
    file = load(tmp_path, "at_most_visits: 9\nat_most_moves: 3\nmust_visit: [[1, 1], [1, 2]]")
    stated = Stated(at_most_visits=9, at_most_moves=3, must_visit=((1, 1), (1, 2)))  # type: ignore[arg-type]
    assert file.stated == {"dfs": stated, "bfs": stated}


def test_it_may_be_stated_of_one_of_them(tmp_path: Path) -> None:
    file = load(tmp_path, "at_most_visits: {dfs: 4, bfs: 8}\nway: {bfs: [north, east, east]}")
    assert file.stated == {"dfs": Stated(4), "bfs": Stated(8, way=(NORTH, EAST, EAST))}


def test_nothing_is_stated_where_nothing_is(tmp_path: Path) -> None:
    assert load(tmp_path, "# no word").stated == {}


@pytest.mark.parametrize(
    ("stated", "column", "message"),
    [
        ("at_most_visits: 7", 17, "for bfs the reference visits 8 cells, at_most_visits is 7"),
        ("at_most_visits: {dfs: 3}", 23, "at_most_visits.dfs: for dfs the reference visits 4 cells, at_most"),
        ("at_most_moves: 2", 16, "for dfs the reference returns 3 moves, at_most_moves is 2"),
        (
            "must_visit: [[3, 4]]",
            13,
            "for dfs the reference does not visit [3, 4]: it visits [[2, 1], [1, 1], ",
        ),
        ("must_visit: [[1, 3]]", 13, "for dfs [1, 3] is the entry or the exit, which every solver visits"),
        ("must_visit: [[9, 1]]", 13, "for dfs [9, 1] is outside of the maze of 3 x 4"),
        (
            "must_visit: {bfs: [[2, 3]]}",
            19,
            "for bfs a right solver need not visit [2, 3]: it may stop",
        ),
        ("way: [east, north]", 6, "the reference returns [north, east, east], way is [east, north]"),
        (
            "at_most_visits: '9'",
            17,
            "expected a whole number from 1 to 1000000, got '9'; it stands in quotes",
        ),
        ("at_most_visits: !!str 9", 17, "got '9'; it has a mark before it, which makes it a text: take that"),
        ("at_most_visits: {}", 17, "at_most_visits: expected at least one of dfs, bfs, got none"),
        ("must_visit: [[1, 2], [1, 2]]", 22, "must_visit: [1, 2] is listed twice"),
        ("at_most_visits: 08", 17, "to 1000000, got '08'; write 8, without a zero before it"),
        ("at_most_visits: 010", 17, "got '010'; write 10, without a zero before it"),
        ("at_most_visits: 00", 17, "got '00'; write 0, without a zero before it"),
        ("at_most_visits: 0", 17, "expected a whole number from 1 to 1000000, got '0'"),
        ("at_most_visits: {dsf: 9}", 18, "unknown key 'dsf'; did you mean 'dfs'?"),
        ("at_most_visits: {perfection: 9}", 18, "unknown key 'perfection'; expected one of dfs, bfs"),
        ("at_most_vists: 9", 1, "unknown key 'at_most_vists'; did you mean 'at_most_visits'?"),
        ("must_visit: [1, 2]", 14, "must_visit: expected a list ([…, …]), got '1'"),
        ("must_visit: [[1, 2, 3]]", 14, "must_visit: expected a cell [row, column], got a list of 3"),
        ("must_visit: [[0, 2]]", 15, "got '0'; rows and columns count from 1"),
        ("must_visit: []", 13, "must_visit: expected a list of cells, got an empty list"),
        ("way: [north, up]", 14, "way: expected one of north, east, south, west, got 'up'"),
        ("way: []", 6, "way: expected a list of moves, got an empty list"),
    ],
)
def test_what_is_not_so_is_refused_with_what_is(
    tmp_path: Path, stated: str, column: int, message: str
) -> None:
    with pytest.raises(MazeFileError) as caught:
        load(tmp_path, stated)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (5, column)


def with_maze(drawing: str) -> str:
    return MAZE[: MAZE.index("  +-")] + drawing


@pytest.mark.parametrize(
    ("drawing", "stated", "message"),
    [
        (TWO_WAYS, "way: {dfs: [east, south]}", "there is more than one way: state at_most_moves, 2 or more"),
        (TWO_WAYS, "way: {bfs: [east, south]}", "more than one shortest way: state at_most_moves, 2 or more"),
        (
            "  +-+-+\n  |S  |\n  +-+-+\n",
            "at_most_visits: 2",
            "no way leads to an exit, so that",
        ),
        ("  +-+-+-+\n  |S  |E|\n  +-+-+-+\n", "at_most_moves: 2", "no way leads to an exit"),
    ],
)
def test_what_cannot_be_stated_of_a_maze_is_refused(
    tmp_path: Path, drawing: str, stated: str, message: str
) -> None:
    with pytest.raises(MazeFileError, match=message):
        load(tmp_path, stated, with_maze(drawing))


def test_another_right_solver_counts_as_the_reference_does(tmp_path: Path) -> None:
    """In a room, one depth-first search marks cells when it finds them and another when it visits them."""
    room = "  +-+-+-+\n  |    S|\n  + + + +\n  |E    |\n  +-+-+-+\n"
    with pytest.raises(MazeFileError, match="the reference visits 4 cells, another right solver 6"):
        load(tmp_path, "at_most_visits: {dfs: 5}", with_maze(room))


def test_no_solver_no_statement(tmp_path: Path) -> None:
    with pytest.raises(MazeFileError, match="no solver is among the exercises of this file, so nothing can"):
        load(tmp_path, "at_most_visits: 9", MAZE.replace("[dfs, bfs, perfection]", "[perfection]"))
