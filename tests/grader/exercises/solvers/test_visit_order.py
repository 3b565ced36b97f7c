"""The visit order: right solvers in many styles are cleared, wrong ones are told where they left it."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exercises.kit.draw import FAMILIES, draw
from grader.exercises.kit.facts import Facts
from grader.exercises.kit.library import equal_ways
from grader.exercises.kit.solvers.cases import cells_beyond, judge_order
from lab import MOVES, Maze, Vector
from tests.grader.exercises.solvers.solvers_from_parts import STYLES, solvers
from tests.grader.exercises.solvers.solvers_in_styles import (
    RIGHT,
    AsksTheNeighboursWestFirst,
    Floods,
    OwnQueue,
    ProbesAheadWestFirst,
    ProbesAndGoesWestFirst,
    ReadsSidesAndGoesWestFirst,
    ReadsTheMazeFirst,
    TakesAll,
    TakesFromSearch,
    WestFirst,
    claim_of,
)
from tests.grader.words import english

CYCLE = "+-+-+-+\n|S    |\n+ +-+ +\n|     |\n+ + + +\n|  E  |\n+-+-+-+"
MIDDLE = "+-+-+-+\n|     |\n+ + + +\n|  S  |\n+ + + +\n|    E|\n+-+-+-+"


@pytest.mark.parametrize(("exercise", "solver"), [(e, s) for e, solvers in RIGHT.items() for s in solvers])
@given(maze=st.one_of(FAMILIES["way"], FAMILIES["cycles"], FAMILIES["shapes"]))
def test_right_solvers_are_cleared(exercise: str, solver: type, maze: Maze) -> None:
    text = maze.to_text()
    assert judge_order(Facts(text), claim_of(solver, text), exercise) is None


@cache
def mazes() -> dict[str, Facts]:
    """Mazes of each family that have a way, by their texts."""
    families = [FAMILIES[family].map(Maze.to_text) for family in ("way", "cycles", "shapes")]
    found = {text: Facts(text) for family in families for text in draw(family, 12, seed=1)}
    return {text: facts for text, facts in found.items() if facts.length is not None}


@pytest.mark.usefixtures("_untraced")
@pytest.mark.parametrize(("exercise", "how", "asks"), STYLES)
def test_right_solvers_are_cleared_from_whatever_parts_they_are_made(
    exercise: str, how: str, asks: str
) -> None:
    """Each on a third of the mazes, in turn."""
    for number, solver in enumerate(solvers(exercise, how, asks)):
        some = [*mazes().items()][number % 3 :: 3]
        told = {text: judge_order(facts, claim_of(solver, text), exercise) for text, facts in some}
        assert {text: english(finding.message) for text, finding in told.items() if finding} == {}, number


@pytest.mark.parametrize(
    "order", list(permutations(MOVES))[1:], ids=lambda order: "".join(m.name[0] for m in order)
)
def test_an_order_that_nobody_sees_shows_in_the_way(order: tuple[Vector, ...]) -> None:
    class ReadsFirst(ReadsTheMazeFirst):
        pass

    ReadsFirst.order = order
    for exercise in ("bfs", "dijkstra"):
        told = [judge_order(Facts(text), claim_of(ReadsFirst, text), exercise) for text in equal_ways()]
        assert any(told)


@pytest.mark.parametrize(
    ("exercise", "solver", "parts_at"),
    [("dfs", WestFirst, (2, 1)), ("dfs", OwnQueue, (2, 1)), ("bfs", TakesFromSearch, (1, 3))],
)
def test_wrong_solvers_are_told_where_they_left_the_order(
    exercise: str, solver: type, parts_at: tuple[int, int]
) -> None:
    text = MIDDLE if solver is WestFirst else CYCLE
    finding = judge_order(Facts(text), claim_of(solver, text), exercise)
    assert finding is not None
    assert (finding.status, finding.extra["parts_at"]) == ("failed", parts_at)


class FromBothEnds:
    def solve(self, maze: Maze, search: Any) -> None:
        for cell in (maze.entry, maze.exit, (1, 2)):
            maze.valid_moves_at(cell or maze.entry)


def test_who_comes_to_the_exit_too_early_is_told_so() -> None:
    text = "+-+-+-+-+-+\n|S       E|\n+-+-+-+-+-+"
    finding = judge_order(Facts(text), claim_of(FromBothEnds, text), "bfs")
    assert finding is not None
    assert english(finding.message) == "visited (1, 5) as the 2nd cell; expected (1, 2)"
    assert finding.extra["parts_at"] == (1, 5)


BEFORE_THE_END = "+-+-+-+-+\n|S E    |\n+-+-+-+-+"


@pytest.mark.parametrize(("solver", "count"), [(Floods, 2), (TakesAll, 2), (OwnQueue, 0)])
def test_going_on_after_the_exit_is_right_and_seen(solver: type, count: int) -> None:
    claim = claim_of(solver, BEFORE_THE_END)
    assert cells_beyond(Facts(BEFORE_THE_END), claim, "bfs") == count
    assert judge_order(Facts(BEFORE_THE_END), claim, "bfs") is None


def test_whoever_does_not_recognise_the_exit_is_not_said_to_go_on() -> None:
    class FindsNoExit(Floods):
        def solve(self, maze: Maze, search: Any) -> None:
            super().solve(maze, search)

    claim = claim_of(FindsNoExit, BEFORE_THE_END)
    assert judge_order(Facts(BEFORE_THE_END), claim, "bfs") is None
    assert cells_beyond(Facts(BEFORE_THE_END), claim, "bfs") is None


@pytest.mark.parametrize(("exercise", "solver"), [(e, s) for e, solvers in RIGHT.items() for s in solvers])
def test_who_stops_at_the_exit_is_not_seen_to_go_on(exercise: str, solver: type) -> None:
    texts = draw(FAMILIES["cycles"].map(Maze.to_text), 20, seed=1)
    counts = [cells_beyond(Facts(text), claim_of(solver, text), exercise) for text in texts]
    assert None in counts or not any(counts)


@pytest.mark.parametrize(
    ("exercise", "solver"),
    [
        ("bfs", ProbesAndGoesWestFirst),
        *(
            ("dfs", each)
            for each in (ProbesAheadWestFirst, AsksTheNeighboursWestFirst, ReadsSidesAndGoesWestFirst)
        ),
    ],
)
def test_styles_that_are_cleared_in_the_right_order_are_not_in_another(exercise: str, solver: type) -> None:
    finding = judge_order(Facts(CYCLE), claim_of(solver, CYCLE), exercise)
    assert finding is not None
    assert finding.status == "failed"
