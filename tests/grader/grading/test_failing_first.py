"""No answer earns more by failing first: how a call ends changes what is asked next, never for the better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any, ClassVar
from zlib import crc32

import pytest

from grader.course.plan import Plan, load_plan, make_plan
from grader.grading.case_runs import MakeCalls
from grader.grading.exercise_grading import ExerciseGrading
from grader.model import Call, Claim
from lab import MOVES, Maze, Vector
from reference.solvers.bfs import BFS
from reference.solvers.search import Search
from tests.direct import run_with

Fails = Callable[[Maze, int, Any], bool]
"""Tells whether a solver fails, of a maze, how many calls its process has made, and its search."""


class OfTheirOwn(Search):
    """A wrong Search: it gives out the cells in another order."""

    def first_pending(self) -> Vector:
        return self.last_pending()


class RightHand:
    """A solver that follows the wall, and cuts the loops out of its walk: right where there are no cycles."""

    def solve(self, maze: Maze, search: Any) -> list[Vector] | None:
        search.mark_as_pending(maze.entry)
        cell, facing, walk, seen = maze.entry, 0, [maze.entry], set()
        while not maze.is_exit(cell):
            if (cell, facing) in seen:
                return None
            seen.add((cell, facing))
            turns = ((facing + turn) % 4 for turn in (1, 0, 3, 2))
            facing = next((turn for turn in turns if maze.is_valid_at(cell, MOVES[turn])), facing)
            if not maze.is_valid_at(cell, MOVES[facing]):
                return None
            cell = cell + MOVES[facing]
            walk = walk[: walk.index(cell) + 1] if cell in walk else [*walk, cell]
        return [Vector(b.row - a.row, b.column - a.column) for a, b in pairwise(walk)]


class Breadth(BFS):
    """A right solver, which stands on its search."""


def failing(solver: type[Any], fails: Fails) -> type[Any]:
    """The solver that raises where it is told to."""

    class Failing(solver):  # type: ignore[misc]
        turn: ClassVar[int] = 0

        def solve(self, maze: Maze, search: Any) -> list[Vector] | None:
            Failing.turn += 1
            if fails(maze, Failing.turn, search):
                search.mark_as_pending(maze.entry)
                raise KeyError("on purpose")
            found: list[Vector] | None = super().solve(maze, search)
            return found

    return Failing


FAILURES: dict[str, Fails] = {
    "never": lambda *_: False,
    "but for the first call of a process": lambda _maze, turn, _search: turn > 1,
    "at the first call of a process": lambda _maze, turn, _search: turn == 1,
    "at every third call": lambda _maze, turn, _search: turn % 3 == 0,
    "by chance": lambda maze, _turn, _search: crc32(maze.to_text().encode()) % 5 == 0,
    "by chance, mostly": lambda maze, _turn, _search: crc32(maze.to_text().encode()) % 5 != 0,
    "on larger mazes": lambda maze, _turn, _search: maze.dimension.position_count > 30,
    "on smaller mazes": lambda maze, _turn, _search: maze.dimension.position_count <= 30,
    "with a search of their own": lambda _maze, _turn, search: isinstance(search, OfTheirOwn),
    "with a search of their own, in company": lambda _maze, turn, search: (
        turn > 1 and isinstance(search, OfTheirOwn)
    ),
}


@cache
def plan() -> Plan:
    whole = load_plan()
    return make_plan(replace(whole.rubric, examples=15))


def score(exercise: str, solver: type[Any], fails: Fails, search: type[Search]) -> float:
    """What the solver earns that fails so."""
    planned = next(each for each in plan().exercises if each.id == exercise)

    def calls_with(search: type[Search]) -> MakeCalls:
        def make(calls: Sequence[Call], alone: bool) -> Sequence[Claim]:
            target = failing(solver, fails)
            return [
                run_with(failing(solver, fails) if alone else target, search)([call], alone)[0]
                for call in calls
            ]

        return make

    exam = ExerciseGrading(plan(), planned, calls_with(search), calls_with(Search))
    exam.grade_shown(search_is_wrong=search is not Search)
    exam.grade_hidden()
    return exam.result({}).score


@pytest.mark.parametrize("search", [Search, OfTheirOwn])
@pytest.mark.parametrize(("exercise", "solver"), [("dfs", RightHand), ("bfs", RightHand), ("bfs", Breadth)])
def test_no_solver_earns_more_by_failing(exercise: str, solver: type[Any], search: type[Search]) -> None:
    earned = {name: score(exercise, solver, fails, search) for name, fails in FAILURES.items()}
    honest = earned.pop("never")
    assert {name: points for name, points in earned.items() if points > honest} == {}
    assert honest > 0
