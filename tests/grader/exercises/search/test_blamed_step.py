"""The hint of a script names the record that had to do with the cell in question, or none."""

from __future__ import annotations

from itertools import pairwise

import pytest

from grader.exercises.search.blamed_step import is_right, seen_to_change, touched
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


def test_a_step_is_blamed_that_is_seen_to_change_what_is_held_of_another_cell() -> None:
    right = {"self.known": "{(2, 1): 0, (2, 2): 1, (1, 2): 2}"}
    wrong = {"self.known": "{(2, 1): 0, (2, 2): 1, (1, 2): 1, (1, 1): 1}"}
    steps = (START, TO_B, TO_C, TO_D, (0, "distance_to", (C,)))
    held = {2: (right, right), 3: (right, wrong)}
    assert seen_to_change(steps, IntValue(2), IntValue(1), held) == 3
    assert seen_to_change(steps, IntValue(2), IntValue(1), {2: (right, wrong)}) is None, "its own record"
    assert is_right(right, C, IntValue(2), IntValue(1))
    assert not is_right(wrong, C, IntValue(2), IntValue(1))


def test_a_step_is_blamed_that_is_seen_to_turn_two_pending_cells_round() -> None:
    states = [{"self._pending": text} for text in ("[(2, 2)]", "[(2, 2), (1, 1)]", "[(1, 1), (2, 2)]")]
    steps = (START, TO_B, TO_D, TO_B, FIRST)
    held = dict(zip((1, 2, 3), pairwise([{}, *states]), strict=True))
    assert seen_to_change(steps, VectorValue(B), VectorValue(D), held) == 3
    assert seen_to_change(steps, VectorValue(B), NOT_THERE, held) is None
