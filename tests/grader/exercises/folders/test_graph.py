"""The graph of a maze: which lists and matrices are right, and the place that is marked in others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from grader.course.exercise_folder import SHIPPED, load_own_exercise
from grader.exercises.kit.folders.code import KNOWN, know
from grader.model import Given
from lab import Vector

MAZE = "+-+-+\n|S  |\n+ +-+\n|  E|\n+-+-+"
GIVEN: tuple[Given, ...] = (("data", json.dumps({"m": MAZE})),)
MATRIX = ((0, 1, 1, 0), (1, 0, 0, 0), (1, 0, 0, 1), (0, 0, 1, 0))
LISTS = {
    Vector(1, 1): [Vector(1, 2), Vector(2, 1)],
    Vector(1, 2): [Vector(1, 1)],
    Vector(2, 1): [Vector(1, 1), Vector(2, 2)],
    Vector(2, 2): [Vector(2, 1)],
}


@pytest.fixture(scope="module", autouse=True)
def _known() -> Iterator[None]:
    know([load_own_exercise(SHIPPED / "graph")])
    yield
    know(())


def place(method: str, returned: object) -> Any:
    """The place that is marked; None where nothing is wrong."""
    found = KNOWN["graph"].complaint(method, GIVEN, returned)
    return found and found.place


def with_diagonal(number: object) -> list[list[object]]:
    return [[number if i == j else row[j] for j in range(4)] for i, row in enumerate(MATRIX)]


def with_number(row: int, column: int, number: object) -> list[list[object]]:
    matrix: list[list[object]] = [[*each] for each in MATRIX]
    matrix[row][column] = number
    return matrix


def test_a_diagonal_of_either_number_is_right_and_no_other() -> None:
    assert all(place("adjacency_matrix", right) is None for right in (MATRIX, *map(with_diagonal, (0, 1))))
    assert place("adjacency_matrix", with_diagonal(2)) == (0, 0)


def test_a_wrong_number_is_told_with_its_place() -> None:
    for row, column, number in ((1, 0, 0), (3, 3, 1), (2, 1, None)):
        assert place("adjacency_matrix", with_number(row, column, number)) == (row, column)


@pytest.mark.parametrize(
    "wrong",
    [
        [Vector(2, 1), Vector(1, 2)],
        [Vector(1, 2)],
        [Vector(1, 2), Vector(2, 1), Vector(2, 1)],
        [Vector(1, 2), Vector(2, 1), Vector(2, 2)],
        2,
    ],
)
def test_a_list_holds_the_neighbors_in_order_each_once(wrong: object) -> None:
    assert place("adjacency_list", LISTS) is None
    assert place("adjacency_list", {**LISTS, Vector(1, 1): wrong}) == (Vector(1, 1),)
