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
        (1, 0, 0, "not_symmetric"),
        (3, 3, 1, "diagonal"),
        (2, 1, None, "no_number"),
    ],
)
def test_a_wrong_number_is_told_with_its_place(row: int, column: int, number: object, key: str) -> None:
    matrix = changed(row, column, number)
    assert told(complaint("adjacency_matrix", matrix)) == (key, (row, column))
    drawn = table(matrix, (row, column))
    assert isinstance(drawn, dict)
    assert (drawn["kind"], drawn["wrong"]) == ("matrix", [row, column])


def test_a_matrix_of_another_size_is_wrong() -> None:
    for wrong in (MATRIX[:3], [*MATRIX[:3], MATRIX[3][:2]]):
        assert complaint("adjacency_matrix", wrong) is not None


def test_a_diagonal_of_any_other_number_is_wrong() -> None:
    matrix = [[2 if i == j else MATRIX[i][j] for j in range(4)] for i in range(4)]
    assert told(complaint("adjacency_matrix", matrix)) == ("no_number", (0, 0))


RIGHT = {
    Vector(1, 1): [Vector(1, 2), Vector(2, 1)],
    Vector(1, 2): [Vector(1, 1)],
    Vector(2, 1): [Vector(1, 1), Vector(2, 2)],
    Vector(2, 2): [Vector(2, 1)],
}


@pytest.mark.parametrize(
    "wrong",
    [
        [Vector(2, 1), Vector(1, 2)],
        [Vector(1, 2)],
        [*RIGHT[Vector(1, 1)], Vector(2, 1)],
        [*RIGHT[Vector(1, 1)], Vector(2, 2)],
        2,
    ],
)
def test_a_list_holds_the_neighbors_in_order_each_once(wrong: object) -> None:
    assert complaint("adjacency_list", RIGHT) is None
    assert told(complaint("adjacency_list", {**RIGHT, Vector(1, 1): wrong}))[1] == (Vector(1, 1),)
