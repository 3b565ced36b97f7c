"""The graph of a maze: what the judge says of lists and matrices, and the place that is marked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from grader.course.exercise_folder import SHIPPED, load_own_exercise
from grader.exercises.kit.answers import table
from grader.exercises.kit.folders.code import KNOWN, Complaint, know
from grader.model import Given
from grader.verification.bank import submissions_in
from lab import Maze, Vector

MAZE = "+-+-+\n|S  |\n+ +-+\n|  E|\n+-+-+"
GIVEN: tuple[Given, ...] = (("data", json.dumps({"m": MAZE})),)
MATRIX = [[0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0]]


@pytest.fixture(scope="module", autouse=True)
def _known() -> Iterator[None]:
    know([load_own_exercise(SHIPPED / "graph")])
    yield
    know(())


def complaint(method: str, returned: Any) -> Complaint | None:
    return KNOWN["graph"].complaint(method, GIVEN, returned)


def told(found: Complaint | None) -> tuple[str, Any]:
    assert found is not None
    return found.message.key.rpartition(".")[2], found.place


def changed(row: int, column: int, number: object) -> list[list[Any]]:
    matrix: list[list[Any]] = deepcopy(MATRIX)
    matrix[row][column] = number
    return matrix


def test_the_bank_is_large_enough() -> None:
    own = KNOWN["graph"].exercise
    assert len(submissions_in(own.folder / "right", own.file)) >= 10
    assert len(submissions_in(own.folder / "wrong", own.file)) >= 25


def test_the_handout_shows_a_maze_as_it_is() -> None:
    for text in KNOWN["graph"].exercise.handouts.values():
        drawn = "\n".join(line[:5] for line in text.splitlines() if line[:1] in "+|" and line[4:5] in "+|")
        assert Maze.from_text(drawn).to_text() == MAZE
        assert [
            [int(number) for number in line[-7:].split()] for line in text.splitlines() if ")]   " in line
        ] == MATRIX


@pytest.mark.parametrize("diagonal", [0, 1])
def test_a_diagonal_of_either_number_is_right(diagonal: int) -> None:
    matrix = [[diagonal if i == j else MATRIX[i][j] for j in range(4)] for i in range(4)]
    assert complaint("adjacency_matrix", matrix) is None
    assert complaint("adjacency_matrix", tuple(map(tuple, matrix))) is None


@pytest.mark.parametrize(
    ("row", "column", "number", "key"),
    [
        (0, 1, 0, "not_symmetric"),
        (1, 0, 0, "not_symmetric"),
        (1, 2, 1, "not_symmetric"),
        (3, 3, 1, "diagonal"),
        (2, 2, 2, "no_number"),
        (3, 0, -1, "no_number"),
        (2, 1, None, "no_number"),
    ],
)
def test_a_wrong_number_is_told_with_its_place(row: int, column: int, number: object, key: str) -> None:
    matrix = changed(row, column, number)
    assert told(complaint("adjacency_matrix", matrix)) == (key, (row, column))
    drawn = table(matrix, (row, column))
    assert isinstance(drawn, dict)
    assert (drawn["kind"], drawn["wrong"]) == ("matrix", [row, column])


def test_what_is_wrong_both_ways_is_an_edge() -> None:
    missing, more = changed(0, 1, 0), changed(1, 2, 1)
    missing[1][0], more[2][1] = 0, 1
    assert told(complaint("adjacency_matrix", missing)) == ("edge_missing", (0, 1))
    assert told(complaint("adjacency_matrix", more)) == ("edge_too_many", (1, 2))


def test_sizes() -> None:
    assert told(complaint("adjacency_matrix", MATRIX[:3]))[0] == "rows"
    assert told(complaint("adjacency_matrix", [*MATRIX[:3], MATRIX[3][:2]])) == ("columns", (3,))


def test_lists_name_the_cell() -> None:
    right = {
        Vector(1, 1): [Vector(1, 2), Vector(2, 1)],
        Vector(1, 2): [Vector(1, 1)],
        Vector(2, 1): [Vector(1, 1), Vector(2, 2)],
        Vector(2, 2): [Vector(2, 1)],
    }
    assert complaint("adjacency_list", right) is None
    first = Vector(1, 1)
    for wrong, key in (
        ([Vector(2, 1), Vector(1, 2)], "other_order"),
        ([Vector(1, 2)], "neighbor_missing"),
        ([*right[first], Vector(2, 1)], "neighbor_twice"),
        ([*right[first], Vector(2, 2)], "no_neighbor"),
        (2, "no_neighbors"),
    ):
        assert told(complaint("adjacency_list", {**right, first: wrong}))[0] == key
    walled = {**right, Vector(1, 2): [Vector(1, 1), Vector(2, 2)]}
    assert told(complaint("adjacency_list", walled)) == ("through_a_wall", (Vector(1, 2),))
