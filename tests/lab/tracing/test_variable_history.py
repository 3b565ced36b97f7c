"""What a variable holds can be made again from its changes; how cells leave it says what it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import Dimension, Factory, Vector
from lab.tracing.cells import CellNumbering
from lab.tracing.recording import discipline
from lab.tracing.variable_history import ContainerHistory, ParentsHistory

MAZE = Factory().fully_connected(Dimension(4, 4))
CELLS = CellNumbering(MAZE)
ALL = MAZE.dimension.all_positions()
Steps = list[Callable[[Any], object]]


def replayed(kept: ContainerHistory, moment: int) -> list[object]:
    held: list[object] = []
    for change in kept.changes:
        if change.moment <= moment:
            held[change.start : change.start + change.left] = change.came
    return held


@given(st.lists(st.lists(st.sampled_from(ALL), max_size=6), min_size=1, max_size=12))
def test_changes_make_every_state_again(states: list[list[Vector]]) -> None:
    kept = ContainerHistory("queue", CELLS, list)
    for moment, state in enumerate(states):
        kept.look(state, moment)
    for moment, state in enumerate(states):
        assert replayed(kept, moment) == [CELLS.numbers[cell] for cell in state]


def followed(container: Any, steps: Steps, name: str = "held") -> ContainerHistory:
    kept = ContainerHistory(name, CELLS, type(container))
    kept.look(container, 0)
    for moment, step in enumerate(steps, start=1):
        step(container)
        kept.look(container, moment)
    return kept


def adds(count: int) -> Steps:
    def add(held: Any, cell: Vector) -> None:
        held.append(cell)

    return [partial(add, cell=cell) for cell in ALL[:count]]


def front(held: Any) -> None:
    held.popleft() if isinstance(held, deque) else held.pop(0)


def at_front(held: Any) -> None:
    held.insert(0, ALL[9])


def back_and_more(held: Any) -> None:
    held.pop()
    held.extend(ALL[8:10])


def front_and_more(held: Any) -> None:
    front(held)
    held.extend(ALL[8:10])


@pytest.mark.parametrize(
    ("container", "steps", "kind"),
    [
        (deque(), [*adds(3), front, front], "queue"),
        ([], [*adds(3), front_and_more, front], "queue"),
        ([], [*adds(3), list.pop, list.pop], "stack"),
        ([], [*adds(3), back_and_more, list.pop], "stack"),
        ([], [*adds(2), at_front, front, at_front, front], "top first"),
        ([], [*adds(3), front, list.pop, list.pop], "list"),
        ([], [*adds(3), lambda held: held.pop(1)], "list"),
        ([], [*adds(1), list.pop], "list"),
        (set(), [lambda held: held.update(ALL), lambda held: held.discard(ALL[3])], "set"),
        ({}, [lambda held: held.update(dict.fromkeys(ALL)), lambda held: held.pop(ALL[3])], "dict"),
    ],
)
def test_how_cells_come_and_leave_says_what_it_is(container: Any, steps: Steps, kind: str) -> None:
    kept = followed(container, steps)
    assert kept.leavings > 0
    assert discipline(kept, (), uses_heap=False) == kind


class Node:
    def __init__(self, cell: object) -> None:
        self.cell = cell
        self.distance = 3


@pytest.mark.parametrize(
    ("item", "cell"),
    [
        ((2, 1), 4),
        ((Vector(2, 1), Vector(0, 1)), 4),
        ([(1, 1), (2, 1)], 4),
        (Node((2, 1)), 4),
        ((9, 9), "(9, 9)"),
        (((1, 1), (2, 1)), None),
        (Node(4), None),
        (object(), None),
        ((True, 1), None),
    ],
)
def test_only_what_can_mean_one_cell_is_one(item: object, cell: object) -> None:
    assert CELLS.of(item) == cell


def test_what_holds_other_things_as_well_is_not_followed() -> None:
    kept = followed([], [*adds(2), list.pop, lambda held: held.append("north")])
    assert kept.is_lost
    assert kept.changes == []


PARENTS: list[tuple[dict[Any, Any], list[tuple[int, int]] | None]] = [
    ({(1, 1): None, (1, 2): (1, 1), (2, 2): (1, 2)}, [(0, 0), (1, 0), (5, 1)]),
    ({(1, 1): None, (1, 2): Vector(0, 1)}, [(0, 0), (1, 0)]),
    ({(1, 2): ((1, 1), Vector(0, 1))}, [(1, 0)]),
    ({(1, 1): [(1, 1)], (1, 2): [(1, 1), (1, 2)]}, [(0, 0), (1, 0)]),
    ({(1, 1): 0, (1, 2): 1}, None),
    ({(1, 1): (1, 2), (1, 2): (1, 3)}, None),
    ({(1, 2): [(1, 1), (1, 3)]}, None),
    ({(1, 2): (3, 3)}, None),
    ({(9, 9): (1, 1)}, None),
]


@pytest.mark.parametrize(("found", "tree"), PARENTS)
def test_parents_are_a_tree_that_grows_from_the_entry(
    found: dict[Any, Any], tree: list[tuple[int, int]] | None
) -> None:
    parents, held = ParentsHistory("came_from", CELLS), {}
    for moment, (cell, value) in enumerate(found.items()):
        held[cell] = value
        parents.look(held, moment)
    assert parents.is_lost is (tree is None)
    if tree is not None:
        assert parents.changes == [(moment, *edge) for moment, edge in enumerate(tree)]
