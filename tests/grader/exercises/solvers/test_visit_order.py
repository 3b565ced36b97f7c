"""The visit order: right solvers in many styles are cleared, wrong ones are told where they left it."""

from __future__ import annotations

from collections import deque
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
from grader.languages import Message
from grader.model import Claim
from grader.model.claims import NONE, IntValue, SolveRun, SolveRuns, Value, VectorsValue
from lab import MOVES, Maze, Vector
from tests.grader.exercises.solvers.solvers_from_parts import STYLES, solvers
from tests.grader.exercises.solvers.solvers_in_styles import (
    RIGHT,
    Floods,
    OwnQueue,
    ProbesAndGoesWestFirst,
    ReadsTheMazeFirst,
    TakesAll,
    TakesFromSearch,
    WestFirst,
    claim_of,
)
from tests.grader.exercises.solvers.solvers_that_ask_otherwise import (
    AsksTheNeighboursWestFirst,
    ProbesAheadWestFirst,
    ReadsSidesAndGoesWestFirst,
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


class AsksAtTheEntry:
    """Asks the entry for its moves, wherever it is."""

    def solve(self, maze: Any, search: Any) -> Any:
        search.mark_as_pending(maze.entry)
        while not maze.is_exit(cell := search.first_pending()):
            for move in maze.valid_moves_at(maze.entry):
                search.record(cell, move, cell + move)


def test_a_cell_out_of_reach_is_asked_about_as_such() -> None:
    text = "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+"
    finding = judge_order(Facts(text), claim_of(AsksAtTheEntry, text), "bfs")
    assert finding is not None
    assert "No way leads from the entry to that cell" in english(finding.hint)


BEFORE_THE_END = "+-+-+-+-+\n|S E    |\n+-+-+-+-+"


@pytest.mark.parametrize(("solver", "count"), [(Floods, 2), (TakesAll, 2), (OwnQueue, 0)])
def test_going_on_after_the_exit_is_right_and_seen(solver: type, count: int) -> None:
    claim = claim_of(solver, BEFORE_THE_END)
    assert cells_beyond(Facts(BEFORE_THE_END), claim, "bfs") == count
    assert judge_order(Facts(BEFORE_THE_END), claim, "bfs") is None


@pytest.mark.parametrize(("exercise", "solver"), [(e, s) for e, solvers in RIGHT.items() for s in solvers])
def test_who_stops_at_the_exit_is_not_seen_to_go_on(exercise: str, solver: type) -> None:
    texts = draw(FAMILIES["cycles"].map(Maze.to_text), 20, seed=1)
    counts = [cells_beyond(Facts(text), claim_of(solver, text), exercise) for text in texts]
    assert None in counts or not any(counts)


class AsksWhenFound:
    """Each cell waits with its moves."""

    def solve(self, maze: Any, search: Any) -> Any:
        waiting, found = deque[Any]([(maze.entry, maze.valid_moves_at(maze.entry), [])]), {maze.entry}
        while waiting:
            cell, moves, way = waiting.popleft()
            if cell == maze.exit:
                return way
            for move in (move for move in moves if cell + move not in found):
                found.add(cell + move)
                waiting.append((cell + move, maze.valid_moves_at(cell + move), [*way, move]))
        return None


def test_who_asks_about_a_cell_that_it_finds_does_not_go_on() -> None:
    for text in (BEFORE_THE_END, CYCLE, MIDDLE):
        assert cells_beyond(Facts(text), claim_of(AsksWhenFound, text), "bfs") in (0, None)


def test_probing_towards_new_cells_clears_no_wrong_order() -> None:
    for text in (CYCLE, MIDDLE):
        finding = judge_order(Facts(text), claim_of(ProbesAndGoesWestFirst, text), "bfs")
        assert finding is not None
        assert finding.status == "failed"


@pytest.mark.parametrize(
    "solver", [ProbesAheadWestFirst, AsksTheNeighboursWestFirst, ReadsSidesAndGoesWestFirst]
)
def test_styles_that_are_cleared_in_the_right_order_are_not_in_another(solver: type) -> None:
    finding = judge_order(Facts(CYCLE), claim_of(solver, CYCLE), "dfs")
    assert finding is not None
    assert finding.status == "failed"


@pytest.mark.parametrize(
    ("value", "key"), [(NONE, "none_though"), (VectorsValue(()), "no_moves"), (IntValue(2), "no_list")]
)
def test_where_no_moves_came_nothing_is_said_of_their_order(value: Value, key: str) -> None:
    run = SolveRun(value, (), (), (), (), used_search=False, late_looks=0, changed=None)
    claim = Claim("c", "returned", SolveRuns((run,)))
    finding = judge_order(Facts("+-+-+-+\n|S   E|\n+-+-+-+"), claim, "dfs")
    assert finding is not None
    assert isinstance(finding.message, Message)
    assert finding.message.key == f"said.{key}"
