"""Right and wrong solvers in many styles, and what is seen of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from grader.model import Call, Claim, Solve
from lab import MOVES, Vector
from reference.solvers.search import Search
from tests.direct import run_with
from tests.grader.exercises.solvers.solvers_that_ask_otherwise import (
    AsksOnceThenReadsTheText,
    AsksTheNeighbours,
    AsksTheNeighboursWestLast,
    LooksAtTheExitFirst,
    ProbesAhead,
    ReadsAndStopsWhenSeen,
    ReadsSidesInTwoPasses,
    ReadsSidesOnce,
)


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
    """Reads all passages, then searches in these: its visits cannot be observed."""

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


class AsksAhead(ProbesAhead):
    """Pushes each cell with its moves, so that it asks for them before the cell is visited."""

    def doors(self, maze: Any, cell: Vector) -> Any:
        return maze.valid_moves_at(cell)


class ProbesTowardsNewCells:
    """Asks for a wall only if the cell behind it is new: visits between known cells are not seen."""

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
    """Reads the maze like a solver that does not stop, and compares with the exit afterwards."""

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
    """Takes all cells from its search, and asks for the way at the end."""

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
        *(AsksAhead, PeeksAtNeighbours, ProbesAhead, AsksTheNeighbours, AsksTheNeighboursWestLast),
        *(LooksAtTheExitFirst, ReadsSidesOnce, ReadsAndStopsWhenSeen, ReadsSidesInTwoPasses),
        AsksOnceThenReadsTheText,
    ),
    "bfs": (OwnQueue, WalksBack, ProbesFromTheOtherSide, ReadsTheMazeFirst, ProbesTowardsNewCells),
}
