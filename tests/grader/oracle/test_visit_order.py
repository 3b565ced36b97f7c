"""The visit order: right solvers in many styles are cleared, wrong ones are told where they left it."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.cases.draw import draw
from grader.cases.strategies import FAMILIES
from grader.model import Call, Claim, Solve
from grader.oracle.facts import Facts
from grader.oracle.visit_order import cells_beyond, judge_order
from lab import MOVES, Maze, Vector
from reference.solvers.search import Search
from tests.direct import run_with
from tests.grader.words import english

CYCLE = "+-+-+-+\n|S    |\n+ +-+ +\n|     |\n+ + + +\n|  E  |\n+-+-+-+"
MIDDLE = "+-+-+-+\n|     |\n+ + + +\n|  S  |\n+ + + +\n|    E|\n+-+-+-+"


def claim_of(solver: type, text: str) -> Claim:
    call = Call("c", Solve((text,)))
    (claim,) = run_with(solver, Search)([call], False)
    assert claim.outcome == "returned", claim.fault
    return claim


class TakesFromSearch:
    """Explores with the search, and takes the cell found last."""

    stops_when_seen = False
    order = tuple(reversed(MOVES))

    def solve(self, maze: Any, search: Any) -> Any:
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = search.last_pending()
            if maze.is_exit(cell):
                return search.moves_to(cell)
            for move in self.order:
                if maze.is_clear(cell, move):
                    search.record(cell, move, cell + move)
                    if self.stops_when_seen and cell + move == maze.exit:
                        return search.moves_to(cell + move)
        return None


class StopsWhenSeen(TakesFromSearch):
    stops_when_seen = True


class WestFirst(TakesFromSearch):
    order = MOVES


class Recursive:
    def solve(self, maze: Any, search: Any) -> Any:
        seen = set()

        def visit(cell: Vector) -> list[Vector] | None:
            if cell == maze.exit:
                return []
            seen.add(cell)
            for move in maze.valid_moves_at(cell):
                if cell + move not in seen and (rest := visit(cell + move)) is not None:
                    return [move, *rest]
            return None

        return visit(maze.entry)


class DuplicatesOnTheStack:
    def solve(self, maze: Any, search: Any) -> Any:
        stack: list[tuple[Vector, list[Vector]]] = [(maze.entry, [])]
        seen = set()
        while stack:
            cell, way = stack.pop()
            if cell in seen:
                continue
            seen.add(cell)
            if cell == maze.exit:
                return way
            stack.extend((cell + move, [*way, move]) for move in reversed(maze.valid_moves_at(cell)))
        return None


class ReadsTheMazeFirst:
    """Notes all passages, then searches what it noted: its visits cannot be observed."""

    order: Sequence[Vector] = MOVES

    def solve(self, maze: Any, search: Any) -> Any:
        passages = {cell: maze.valid_moves_at(cell) for cell in maze.dimension.all_positions()}
        ways: dict[Vector, list[Vector]] = {maze.entry: []}
        queue = deque([maze.entry])
        while queue:
            cell = queue.popleft()
            if cell == maze.exit:
                return ways[cell]
            for move in self.order:
                if move in passages[cell] and cell + move not in ways:
                    ways[cell + move] = [*ways[cell], move]
                    queue.append(cell + move)
        return None


class ReadsAndGoesWestFirst(ReadsTheMazeFirst):
    order = tuple(reversed(MOVES))


class AsksAhead:
    """Pushes each cell with its moves, so that it asks for them before the cell is visited."""

    def solve(self, maze: Any, search: Any) -> Any:
        stack: list[Any] = [(maze.entry, maze.valid_moves_at(maze.entry), [])]
        seen = set()
        while stack:
            cell, moves, way = stack.pop()
            if cell == maze.exit:
                return way
            if cell not in seen:
                seen.add(cell)
                ahead = [m for m in reversed(moves) if cell + m not in seen]
                stack.extend((cell + m, maze.valid_moves_at(cell + m), [*way, m]) for m in ahead)
        return None


class ProbesTowardsNewCells:
    """Asks for a wall only where the cell behind it is new: visits between known cells are not seen."""

    order: Sequence[Vector] = MOVES

    def solve(self, maze: Any, search: Any) -> Any:
        ways: dict[Vector, list[Vector]] = {maze.entry: []}
        queue = deque([maze.entry])
        while queue:
            cell = queue.popleft()
            if cell == maze.exit:
                return ways[cell]
            for move in self.order:
                if cell + move not in ways and maze.is_valid_at(cell, move):
                    ways[cell + move] = [*ways[cell], move]
                    queue.append(cell + move)
        return None


class ProbesAndGoesWestFirst(ProbesTowardsNewCells):
    order = tuple(reversed(MOVES))


class PeeksAtNeighbours(Recursive):
    def solve(self, maze: Any, search: Any) -> Any:
        seen = {maze.entry}

        def visit(cell: Vector) -> list[Vector] | None:
            if cell == maze.exit:
                return []
            _ = [len(maze.valid_moves_at(cell + move)) for move in maze.valid_moves_at(cell)]
            for move in maze.valid_moves_at(cell):
                if cell + move not in seen:
                    seen.add(cell + move)
                    if (rest := visit(cell + move)) is not None:
                        return [move, *rest]
            return None

        return visit(maze.entry)


class OwnQueue:
    probes = False
    floods = False

    def solve(self, maze: Any, search: Any) -> Any:
        ways: dict[Vector, list[Vector]] = {maze.entry: []}
        queue = deque([maze.entry])
        while queue:
            cell = queue.popleft()
            if cell == maze.exit and not self.floods:
                return ways[cell]
            for move in maze.moves_at(cell) if self.probes else maze.valid_moves_at(cell):
                if self.probes and maze.is_wall(cell + move, move.opposite()):
                    continue
                if cell + move not in ways:
                    ways[cell + move] = [*ways[cell], move]
                    queue.append(cell + move)
        return ways.get(maze.exit)


class ProbesFromTheOtherSide(OwnQueue):
    probes = True


class Floods(OwnQueue):
    floods = True


class WalksBack:
    """Stops when it sees the exit, then walks back by distance, over cells it never took."""

    def solve(self, maze: Any, search: Any) -> Any:
        distance = {maze.entry: 0}
        queue = deque([maze.entry])
        while queue and maze.exit not in distance:
            cell = queue.popleft()
            for move in maze.valid_moves_at(cell):
                distance.setdefault(cell + move, distance[cell] + 1)
                if distance[cell + move] > distance[cell] and cell + move not in queue:
                    queue.append(cell + move)
        return self.back(maze, distance) if maze.exit in distance else None

    def back(self, maze: Any, distance: dict[Vector, int]) -> list[Vector]:
        cell, moves = maze.exit, []
        while cell != maze.entry:
            ways = (m for m in reversed(maze.valid_moves_at(cell)) if cell + m in distance)
            move = next(m for m in ways if distance[cell + m] == distance[cell] - 1)
            moves.append(move.opposite())
            cell = cell + move
        return moves[::-1]


class ReadsByItsOwnFlood(OwnQueue):
    """Reads the maze as a solver would that does not stop, and compares with the exit afterwards."""

    def solve(self, maze: Any, search: Any) -> Any:
        passages, queue = {}, deque([maze.entry])
        while queue:
            cell = queue.popleft()
            if cell not in passages:
                passages[cell] = maze.valid_moves_at(cell)
                queue.extend(cell + move for move in passages[cell])
        ways: dict[Vector, list[Vector]] = {maze.entry: []}
        for cell in (queue := [maze.entry]):  # type: ignore[assignment]
            if cell == maze.exit:
                return ways[cell]
            for move in passages[cell]:
                if cell + move not in ways:
                    ways[cell + move] = [*ways[cell], move]
                    queue.append(cell + move)
        return None


class TakesAll:
    """Takes all cells from its search, and asks for the way in the end."""

    def solve(self, maze: Any, search: Any) -> Any:
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = search.first_pending()
            for move in maze.valid_moves_at(cell):
                search.record(cell, move, cell + move)
        return search.moves_to(maze.exit)


RIGHT = {
    "dfs": (
        *(TakesFromSearch, StopsWhenSeen, Recursive, DuplicatesOnTheStack),
        *(AsksAhead, PeeksAtNeighbours),
    ),
    "bfs": (OwnQueue, WalksBack, ProbesFromTheOtherSide, ReadsTheMazeFirst, ProbesTowardsNewCells),
}


@pytest.mark.parametrize("family", ["way", "cycles", "shapes"])
@pytest.mark.parametrize(("exercise", "solver"), [(e, s) for e, solvers in RIGHT.items() for s in solvers])
@given(data=st.data())
def test_right_solvers_are_cleared(exercise: str, solver: type, family: str, data: st.DataObject) -> None:
    text = data.draw(FAMILIES[family]).to_text()
    assert judge_order(Facts(text), claim_of(solver, text), exercise) is None


@pytest.mark.parametrize(
    ("exercise", "solver", "words"),
    [
        ("dfs", WestFirst, "visited (2, 1) as the 2nd cell; expected (1, 2)"),
        ("dfs", OwnQueue, "visited (2, 1) as the 3rd cell; expected (1, 3)"),
        ("bfs", TakesFromSearch, "visited (1, 3) as the 3rd cell; expected (2, 1)"),
        ("bfs", ReadsAndGoesWestFirst, "North, East, South, West in turn does not find"),
    ],
)
def test_wrong_solvers_are_told_where_they_left_the_order(exercise: str, solver: type, words: str) -> None:
    text = MIDDLE if solver is WestFirst else CYCLE
    finding = judge_order(Facts(text), claim_of(solver, text), exercise)
    assert finding is not None
    assert finding.status == "failed"
    assert words in english(finding.message)


class ByPosition:
    """Its own heap gives out the smallest row and column of equals."""

    def solve(self, maze: Any, search: Any) -> Any:
        heap, seen = [(self.rank(0, maze.entry), 0, maze.entry)], {maze.entry}
        while heap:
            _, cost, cell = heappop(heap)
            if cell == maze.exit:
                return None
            for move in maze.valid_moves_at(cell):
                if cell + move not in seen:
                    seen.add(cell + move)
                    heappush(heap, (self.rank(cost + 1, cell + move), cost + 1, cell + move))
        return None

    def rank(self, cost: int, cell: Vector) -> tuple[int, ...]:
        return (cost, *cell)


class FarthestFirst(ByPosition):
    def rank(self, cost: int, cell: Vector) -> tuple[int, ...]:
        return (-cost, cell.row, -cell.column)


ROOM = "+-+-+-+\n|E    |\n+ + + +\n|  S  |\n+ + + +\n|     |\n+-+-+-+"


@pytest.mark.parametrize(
    ("solver", "hint"),
    [(ByPosition, "equally close to the entry"), (FarthestFirst, "those near the entry")],
)
def test_ties_are_told_from_the_order_of_the_neighbours(solver: type, hint: str) -> None:
    finding = judge_order(Facts(ROOM), claim_of(solver, ROOM), "dijkstra")
    assert finding is not None
    assert hint in english(finding.hint)


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


def test_probing_towards_new_cells_clears_no_wrong_order() -> None:
    for text in (CYCLE, MIDDLE):
        finding = judge_order(Facts(text), claim_of(ProbesAndGoesWestFirst, text), "bfs")
        assert finding is not None
        assert finding.status == "failed"


def test_stopping_too_early_is_named_as_such() -> None:
    class Guesses:
        def solve(self, maze: Any, search: Any) -> Any:
            maze.valid_moves_at(maze.entry)
            return [MOVES[1]] * 3

    text = "+-+-+-+-+\n|S     E|\n+-+-+-+-+"
    finding = judge_order(Facts(text), claim_of(Guesses, text), "dfs")
    assert finding is not None
    assert english(finding.message) == "stopped after the entry, before (1, 2) was visited"
