"""The mazes of the public tests show each wrong order, however a solver asks; right solvers pass them."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from grader.exercises.kit.facts import Facts, goes_deep
from grader.exercises.kit.solvers.cases import judge_order
from lab import MOVES, Maze, Vector
from lab.exercises import SOLVER_IDS
from tests.grader.exercises.solvers.solvers_from_parts import STYLES, solvers
from tests.grader.exercises.solvers.solvers_in_styles import claim_of

ROOT = Path(__file__).parents[2] / "student_template"


def _public_mazes() -> Any:
    spec = importlib.util.spec_from_file_location("public_mazes_read", ROOT / "tests" / "public_mazes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, spec.name, module)  # where dataclasses look it up
        spec.loader.exec_module(module)
    return module


MAZES = _public_mazes()
ORDERED = [getattr(MAZES, f"MAZE_{letter}") for letter in "ABCDE"]
FACTS = [Facts(situation.maze.to_text()) for situation in ORDERED]

Opens = Callable[[Any, Vector], list[Vector]]
Solve = Callable[[Any], Any]
ASKS: dict[str, Callable[[tuple[Vector, ...]], Opens]] = {
    "moves": lambda order: lambda maze, cell: [m for m in order if m in maze.valid_moves_at(cell)],
    "moves, then walls": lambda order: (
        lambda maze, cell: [m for m in order if m in maze.moves_at(cell) and maze.is_clear(cell, m)]
    ),
    "walls": lambda order: lambda maze, cell: [m for m in order if maze.is_valid_at(cell, m)],
}


def _letters(way: tuple[Vector, ...]) -> str:
    return "".join(move.name[0] for move in way)


@pytest.mark.parametrize("solver", SOLVER_IDS)
def test_the_orders_that_are_written_down_are_the_references(solver: str) -> None:
    for situation, facts in zip(ORDERED, FACTS, strict=True):
        deep = tuple(filter(None, (situation.depth_first, situation.depth_first_when_entered)))
        assert facts.orders[solver] == (deep if goes_deep(solver) else (situation.breadth_first,))
        assert len(facts.distances) == facts.dimension.position_count  # as the public tests take for granted
        assert situation.length == facts.length
        ways = set(map(_letters, facts.ways[solver]))
        if situation.ways:
            assert ways <= set(situation.ways)
        elif goes_deep(solver):
            assert ways == {_letters(facts.ways["bfs"][0])}


@pytest.mark.parametrize(("exercise", "how", "asks"), STYLES)
def test_right_solvers_are_cleared(exercise: str, how: str, asks: str) -> None:
    for solver, facts in product(solvers(exercise, how, asks), FACTS):
        assert judge_order(facts, claim_of(solver, facts.text), exercise) is None


def _recursive(opens: Opens, maze: Maze, cell: Vector, seen: set[Vector]) -> list[Vector] | None:
    seen.add(cell)
    if cell == maze.exit:
        return []
    for move in opens(maze, cell):
        if cell + move not in seen:
            rest = _recursive(opens, maze, cell + move, seen)
            if rest is not None:
                return [move, *rest]
    return None


def _waiting(opens: Opens, maze: Maze, *, last: bool) -> list[Vector] | None:
    waiting: list[tuple[Vector, list[Vector]]] = [(maze.entry, [])]
    seen = {maze.entry}
    while waiting:
        cell, way = waiting.pop(-1 if last else 0)
        if cell == maze.exit:
            return way
        for move in reversed(opens(maze, cell)) if last else opens(maze, cell):
            if cell + move not in seen:
                seen.add(cell + move)
                waiting.append((cell + move, [*way, move]))
    return None


def _deep(opens: Opens) -> Solve:
    return lambda maze: _recursive(opens, maze, maze.entry, set())


def _taking(opens: Opens, *, last: bool) -> Solve:
    return lambda maze: _waiting(opens, maze, last=last)


def _wrong(ask: Callable[[tuple[Vector, ...]], Opens]) -> Iterator[tuple[str, Solve]]:
    """Yield solvers that explore in another order, and those that take the wrong cell."""
    for order in list(permutations(MOVES))[1:]:
        opens = ask(order)
        yield from (("dfs", _deep(opens)), ("dfs", _taking(opens, last=True)))
        yield from ((exercise, _taking(opens, last=False)) for exercise in ("bfs", "dijkstra"))
    right = ask(MOVES)
    yield from (("dfs", _taking(right, last=False)), ("bfs", _taking(right, last=True)))


@pytest.mark.parametrize("asks", ASKS)
def test_no_wrong_order_is_cleared_in_all_of_them(asks: str) -> None:
    passed = []
    for number, (exercise, solve) in enumerate(_wrong(ASKS[asks])):
        solver = type("Wrong", (), {"solve": lambda _, maze, search, solve=solve: solve(maze)})
        if all(judge_order(facts, claim_of(solver, facts.text), exercise) is None for facts in FACTS):
            passed.append((number, exercise))
    assert passed == []
