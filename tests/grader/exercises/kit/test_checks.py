"""The checks as a whole: the reference passes all of them, and each mistake costs its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

import pytest

from grader.exercises import registry
from grader.exercises.kit.facts import distances_from
from grader.grading.case_runs import CaseRuns
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
from tests.grader.words import english

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


class Shared(Search):
    _one = Search()

    def __init__(self) -> None:
        super().__init__()
        self.__dict__ = Shared._one.__dict__


class Nothing:
    def solve(self, maze: Any, search: Any) -> None:
        return None


class ForgetsTheExit(BFS):
    """Finds the way only where the exit is the last cell."""

    def solve(self, maze: Any, search: Any) -> Any:
        last = Vector(maze.dimension.row_count, maze.dimension.column_count)
        return super().solve(maze, search) if maze.exit in (None, last) else None


class RemembersAfterSuccess(BFS):
    solved = 0

    def solve(self, maze: Any, search: Any) -> Any:
        self.solved += 1
        return super().solve(maze, search) if self.solved < 3 else None


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


class NeedsAnExit(PerfectionChecker):
    def is_perfect(self, maze: Maze) -> bool:
        return maze.has_exit() and super().is_perfect(maze)


class Reads(DFS):
    """Reads the maze breadth first, then searches its copy depth first."""

    def solve(self, maze: Any, search: Any) -> Any:
        passages, queue = {maze.entry: maze.valid_moves_at(maze.entry)}, [maze.entry]
        for cell in queue:
            new = [cell + move for move in passages[cell] if cell + move not in passages]
            passages |= {each: maze.valid_moves_at(each) for each in new}
            queue += new
        return self.walk(passages, maze.entry, maze.exit, {maze.entry})

    def walk(self, passages: Any, cell: Vector, goal: Any, seen: set[Vector]) -> list[Vector] | None:
        if cell == goal:
            return []
        for move in self.ordered(passages[cell]):
            if cell + move not in seen:
                seen.add(cell + move)
                rest = self.walk(passages, cell + move, goal, seen)
                if rest is not None:
                    return [move, *rest]
        return None

    def ordered(self, moves: Any) -> Any:
        return moves


class ReadsAndGoesWestFirst(Reads):
    def ordered(self, moves: Any) -> Any:
        return reversed(moves)


def test_a_solver_that_reads_the_maze_first_is_right() -> None:
    assert lost("dfs", Reads) == set()


def test_a_wrong_solver_that_reads_the_maze_first_is_told_about_its_way() -> None:
    asked = exercise("dfs")
    trial = CaseRuns(asked.checks, run_with(ReadsAndGoesWestFirst, Search))
    trial.run()
    order = next(check for check in asked.checks if check.id == "dfs.visit-order")
    wrong = trial.wrong(order)
    assert wrong is not None
    assert "exploring North, East, South, West in turn does not find" in english(wrong.finding.message)


@pytest.mark.parametrize(
    ("id_", "target", "expected"),
    [
        ("search", NeverShorter, {"shorter-way", "order"}),
        ("search", PendingAgain, {"known-cell", "shorter-way", "order"}),
        ("bfs", DFS, {"shortest", "visit-order"}),
        ("dfs", BFS, {"visit-order"}),
        ("bfs", BreaksAWall, {"unchanged"}),
        ("bfs", RemembersAfterSuccess, {"repeat"}),
        ("dijkstra", Nothing, {title.split(".")[1] for title in registry.titles()["dijkstra"]}),
        ("perfection", Always, {title.split(".")[1] for title in registry.titles()["perfection"]}),
        ("perfection", Never, {title.split(".")[1] for title in registry.titles()["perfection"]}),
        ("perfection", Numbers, {"true-or-false"}),
        ("perfection", CountsOnly, {"cycle-and-island", "deep"}),
    ],
)
def test_each_mistake_costs_its_own_checks(id_: str, target: type, expected: set[str]) -> None:
    anywhere = {"hidden-mazes", "large", "order"}  # where a mistake of any kind may show
    assert lost(id_, target) - anywhere == expected - anywhere


class ByHash:
    """Knows nothing of mazes, and says the same of one each time."""

    def is_perfect(self, maze: Maze) -> bool:
        return crc32(maze.to_text().encode()) % 2 == 0


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
    ("id_", "target"), [("perfection", ByHash), ("dfs", NoMoves), ("bfs", CountsPassages)]
)
def test_who_knows_nothing_earns_nothing(id_: str, target: type) -> None:
    assert lost(id_, target) == {title.split(".")[1] for title in registry.titles()[id_]}


class KeepsWhatItReached(PerfectionChecker):
    """Keeps the reached cells in the checker."""

    def __init__(self) -> None:
        self.reached: set[Vector] = set()

    def is_perfect(self, maze: Maze) -> bool:
        self.reached |= set(distances_from(maze, maze.entry))
        cells = maze.dimension.all_positions()
        passages = sum(len(maze.valid_moves_at(cell)) for cell in cells) // 2
        return passages == len(cells) - 1 == len(self.reached) - 1


def test_what_a_checker_itself_remembers_is_seen() -> None:
    assert lost("perfection", KeepsWhatItReached) == {"repeat"}


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


def test_solving_again_is_about_what_is_remembered() -> None:
    assert "valid-path" in lost("bfs", ForgetsTheLastRow)
    assert "repeat" not in lost("bfs", ForgetsTheLastRow)
    assert lost("bfs", RaisesTheSecondTime) == {"repeat"}


def test_what_depends_on_entry_or_exit_is_seen() -> None:
    assert "entry-and-exit" in lost("perfection", NeedsAnExit)
    assert {"valid-path", "shapes"} <= lost("bfs", ForgetsTheExit)


def test_searches_that_share_their_cells_are_seen() -> None:
    assert "separate" in lost("search", Shared)


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


def test_only_declared_checks_can_be_made() -> None:
    with pytest.raises(KeyError):
        registry.make_checks("dfs", ["dfs.shortest"], BOOK)
