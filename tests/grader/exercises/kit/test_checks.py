"""The checks as a whole: the reference passes all of them, and each mistake costs its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from grader.exercises import registry
from grader.exercises.search.kind import script_of
from grader.grading.case_runs import CaseRuns
from grader.grading.purse import Purse
from grader.grading.verdicts import CounterexampleFinder
from grader.model import Call, Claim, Generate
from grader.session.submission_limits import unanswered
from lab import EAST, Maze, Vector
from reference.generators.my_generator import MyGenerator
from reference.perfection_checker import PerfectionChecker
from reference.solvers.bfs import BFS
from reference.solvers.dfs import DFS
from reference.solvers.dijkstra import Dijkstra
from reference.solvers.search import Search
from tests.direct import run_with
from tests.grader.exercises.all_exercises import BOOK, NeverShorter, exercise

ANSWERS = {
    "search": Search,
    "dfs": DFS,
    "bfs": BFS,
    "dijkstra": Dijkstra,
    "perfection": PerfectionChecker,
    "generator": MyGenerator,
}


def lost(id_: str, target: type) -> set[str]:
    asked = exercise(id_)
    trial = CaseRuns(asked.checks, run_with(target, Search))
    trial.run()
    return {check.id.removeprefix(f"{id_}.") for check in trial.checks if trial.wrong(check)}


@pytest.mark.parametrize("id_", ANSWERS)
def test_the_reference_loses_nothing(id_: str) -> None:
    assert lost(id_, ANSWERS[id_]) == set()


class PendingAgain(Search):
    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        known = end in self.known_cells
        super().record(start, move, end)
        if known:
            self._pending.append(end)


class Nothing:
    def solve(self, maze: Any, search: Any) -> None:
        return None


class BreaksAWall(BFS):
    def solve(self, maze: Any, search: Any) -> Any:
        way = super().solve(maze, search)
        for cell in maze.dimension.all_positions():
            if cell.column < maze.dimension.column_count and maze.is_wall(cell, EAST):
                maze.break_wall(cell, EAST)
                break
        return way


class Always:
    answer: Any = True

    def is_perfect(self, maze: Maze) -> Any:
        return self.answer


class Never(Always):
    answer = False


class Numbers(PerfectionChecker):
    def is_perfect(self, maze: Maze) -> Any:
        return int(super().is_perfect(maze))


class CountsOnly(PerfectionChecker):
    def is_perfect(self, maze: Maze) -> bool:
        cells = maze.dimension.all_positions()
        return sum(len(maze.valid_moves_at(cell)) for cell in cells) == 2 * (len(cells) - 1)


@pytest.mark.parametrize(
    ("id_", "target", "expected"),
    [
        ("search", NeverShorter, {"shorter-way", "order"}),
        ("search", PendingAgain, {"known-cell", "shorter-way", "order"}),
        ("bfs", DFS, {"shortest", "visit-order"}),
        ("dfs", BFS, {"visit-order"}),
        ("bfs", BreaksAWall, {"unchanged"}),
        ("perfection", Numbers, {"true-or-false"}),
        ("perfection", CountsOnly, {"cycle-and-island", "deep"}),
    ],
)
def test_each_mistake_costs_its_own_checks(id_: str, target: type, expected: set[str]) -> None:
    anywhere = {"hidden-mazes", "large", "order"}  # where a mistake of any kind may show
    assert lost(id_, target) - anywhere == expected - anywhere


class NoMoves:
    def solve(self, maze: Any, search: Any) -> list[Any]:
        return []


class CountsPassages:
    """Says None where too few walls are open for a way everywhere, and searches none."""

    def solve(self, maze: Any, search: Any) -> list[Any] | None:
        cells = maze.dimension.all_positions()
        passages = sum(len(maze.valid_moves_at(cell)) for cell in cells) // 2
        return None if maze.exit is None or passages < len(cells) else []


@pytest.mark.parametrize(
    ("id_", "target"),
    [("perfection", Always), ("perfection", Never), ("dfs", NoMoves), ("bfs", CountsPassages)],
)
def test_who_knows_nothing_earns_nothing(id_: str, target: type) -> None:
    assert lost(id_, target) == {title.split(".")[1] for title in registry.titles()[id_]}


class ForgetsTheLastRow:
    """Remembers nothing; but what it does wrong shows on the second maze of a series as well."""

    def solve(self, maze: Any, search: Any) -> Any:
        way = BFS().solve(maze, search)
        return None if maze.exit is None or maze.exit.row == maze.dimension.row_count else way


class RaisesTheSecondTime:
    def __init__(self) -> None:
        self.calls = 0

    def solve(self, maze: Any, search: Any) -> Any:
        self.calls += 1
        if self.calls > 1:
            raise KeyError(self.calls)
        return BFS().solve(maze, search)


def test_counterexamples_are_small() -> None:
    asked = exercise("bfs")
    trial = CaseRuns(asked.checks, run_with(DFS, Search))
    trial.run()
    shortest = next(check for check in asked.checks if check.id == "bfs.shortest")
    wrong = trial.wrong(shortest)
    assert wrong is not None
    assert (
        CounterexampleFinder(trial, Purse()).plainest(shortest, wrong).case.facts.dimension.position_count
        <= 6
    )


def test_a_wrong_search_is_shown_by_few_calls_near_the_first_cell() -> None:
    asked = exercise("search")
    trial = CaseRuns(asked.checks, run_with(NeverShorter))
    trial.run()
    shorter = next(check for check in asked.checks if check.id == "search.shorter-way")
    wrong = trial.wrong(shorter)
    assert wrong is not None
    shown = CounterexampleFinder(trial, Purse()).plainest(shorter, wrong)
    steps = script_of(shown.case).steps
    assert len(steps) <= 6
    assert shown.finding.step == len(steps) - 1
    assert max(max(cell) for _, _, cells in steps for cell in cells) <= 3


def test_solving_again_is_about_what_is_remembered() -> None:
    assert "valid-path" in lost("bfs", ForgetsTheLastRow)
    assert "repeat" not in lost("bfs", ForgetsTheLastRow)
    assert lost("bfs", RaisesTheSecondTime) == {"repeat"}


def sizes_asked_of(most_cells: int) -> list[tuple[int, int]]:
    """The sizes that a generator is asked for by the check of large ones, which ends up to so many cells."""
    (check,) = registry.make_checks("generator", ["generator.large"], BOOK)
    answer, asked = run_with(MyGenerator), []

    def made(calls: Sequence[Call], alone: bool) -> Sequence[Claim]:
        for call in calls:
            size = call.asked(Generate)
            asked.append((size.rows, size.columns))
            if size.rows * size.columns > most_cells:
                return [unanswered(call, "timeout", "") for call in calls]
        return answer(calls, alone)

    CaseRuns([check], made).run()
    return [size for size in asked if min(size) > 1]


def test_no_larger_maze_is_asked_of_a_generator_that_is_too_slow_for_a_smaller_one() -> None:
    assert sizes_asked_of(most_cells=3600) == [(25, 80), (60, 60)]
    assert sizes_asked_of(most_cells=1999) == [(25, 80)]
