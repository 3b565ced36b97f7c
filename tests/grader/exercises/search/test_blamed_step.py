"""The hint of a script names the record that had to do with the cell in question, or none."""

from __future__ import annotations

import pytest

from grader.exercises.search.blamed_step import touched
from grader.exercises.search.judge import answers
from grader.model import Step
from grader.model.claims import IntValue, Raised, Value, VectorsValue, VectorValue
from lab import EAST, NORTH, SOUTH, Vector

A, B, C, D = Vector(2, 1), Vector(2, 2), Vector(1, 2), Vector(1, 1)
"""A square: B lies east of A, C north of B, D north of A."""
START: Step = (0, "mark_as_pending", (A,))
TO_B: Step = (0, "record", (A, EAST, B))
TO_C: Step = (0, "record", (B, NORTH, C))
TO_D: Step = (0, "record", (A, NORTH, D))
TO_C_AGAIN: Step = (0, "record", (D, EAST, C))
FIRST: Step = (0, "first_pending", ())
NOT_THERE = Raised("IndexError", is_lookup=True)
LONG: tuple[Step, ...] = (START, TO_B, TO_C, (0, "record", (C, NORTH, D)), TO_D)
"""D is found by three moves, and then by one."""


@pytest.mark.parametrize(
    ("steps", "came", "record"),
    [
        ((START, TO_D, TO_B, (0, "distance_to", (B,))), IntValue(7), TO_B),
        ((START, TO_B, TO_D, (0, "distance_to", (B,))), IntValue(7), None),
        ((START, TO_B, TO_D, (0, "distance_to", (A,))), IntValue(7), None),
        ((*LONG, (0, "distance_to", (D,))), IntValue(3), TO_D),
        ((*LONG, LONG[3], (0, "distance_to", (D,))), IntValue(3), LONG[3]),
        ((*LONG, (0, "record", (B, NORTH, D)), (0, "distance_to", (D,))), IntValue(3), TO_D),
        ((*LONG, LONG[3], (0, "distance_to", (D,))), IntValue(8), None),
        ((START, TO_B, TO_C, (0, "moves_to", (C,))), VectorsValue((SOUTH, NORTH)), TO_B),
        ((START, TO_B, TO_C, (0, "moves_to", (C,))), VectorsValue((EAST, SOUTH)), TO_C),
        (
            (START, TO_B, TO_D, TO_C, TO_C_AGAIN, (0, "moves_to", (C,))),
            VectorsValue((NORTH, EAST)),
            TO_C_AGAIN,
        ),
        ((START, TO_B, TO_C, (0, "moves_to", (C,))), NOT_THERE, None),
        ((START, TO_B, TO_D, (0, "known_cells", ())), VectorsValue((A, D)), TO_B),
        ((START, TO_B, TO_D, (0, "known_cells", ())), VectorsValue((A, D, B)), None),
        ((START, FIRST, TO_B, TO_D, FIRST), NOT_THERE, TO_B),
        ((START, FIRST, TO_B, TO_D, FIRST), VectorValue(D), None),
        ((START, TO_B, FIRST, FIRST, TO_D, TO_B, FIRST), VectorValue(B), TO_B),
        ((START, TO_B, FIRST, FIRST, TO_D, FIRST), VectorValue(B), None),
        ((START, TO_B, FIRST, TO_D, (0, "has_pending_cells", ())), IntValue(0), None),
        ((START, TO_B, (1, "mark_as_pending", (B,)), (0, "distance_to", (B,))), IntValue(0), None),
    ],
    ids=str,
)
def test_the_record_in_question(steps: tuple[Step, ...], came: Value | Raised, record: Step | None) -> None:
    assert touched(steps, answers(steps), len(steps) - 1, came) == record


def test_each_of_thousands_of_cells_is_compared_with_few_others() -> None:
    """A box may say that so many are known, of each step of a script."""
    compared = 0

    class Cell(tuple[int, int]):
        __slots__ = ()
        __hash__ = tuple.__hash__

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return tuple.__eq__(self, other)

    steps = (START, TO_B, (0, "known_cells", ()))
    came = VectorsValue((A, *(Cell((1, column)) for column in range(1, 1001))))
    assert touched(steps, answers(steps), 2, came) == TO_B
    assert compared < 20 * len(came.value)
