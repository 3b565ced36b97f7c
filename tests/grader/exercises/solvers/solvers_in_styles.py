"""Right and wrong solvers in many styles, and what is seen of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import product
from typing import Any

from grader.model import Call, Claim, Solve
from lab import MOVES, Vector
from reference.solvers.search import Search
from tests.direct import run_with


def claim_of(solver: type, text: str) -> Claim:
    call = Call("c", Solve((text,)))
    (claim,) = run_with(solver, Search)([call], False)
    assert claim.outcome == "returned", claim.fault
    return claim


class TakesFromSearch:
    """Explores with the search, and takes the cell found last."""

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
        return None


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


class ProbesAhead:
    """Each node on its stack knows its doors from the start."""

    order: Sequence[Vector] = MOVES

    def solve(self, maze: Any, search: Any) -> Any:
        stack: list[Any] = [(maze.entry, self.doors(maze, maze.entry), [])]
        seen = set()
        while stack:
            cell, doors, way = stack.pop()
            if cell == maze.exit:
                return way
            if cell not in seen:
                seen.add(cell)
                ahead = [move for move in reversed(doors) if cell + move not in seen]
                stack.extend((cell + m, self.doors(maze, cell + m), [*way, m]) for m in ahead)
        return None

    def doors(self, maze: Any, cell: Vector) -> Any:
        return [move for move in self.order if maze.is_clear(cell, move)]


class ProbesAheadWestFirst(ProbesAhead):
    order = tuple(reversed(MOVES))


class AsksTheNeighbours:
    """Asks all neighbours, even behind walls, whether they lead back, last first as they go on the stack."""

    order: Sequence[Vector] = tuple(reversed(MOVES))

    def solve(self, maze: Any, search: Any) -> Any:
        stack: list[Any] = [(maze.entry, [])]
        seen = set()
        while stack:
            cell, way = stack.pop()
            if cell in seen:
                continue
            seen.add(cell)
            if cell == maze.exit:
                return way
            ahead = [move for move in self.order if self.leads_back(maze, cell, move, seen)]
            stack.extend((cell + move, [*way, move]) for move in self.turned(ahead))
        return None

    def leads_back(self, maze: Any, cell: Vector, move: Vector, seen: set[Vector]) -> bool:
        if cell + move in seen or not maze.dimension.includes(cell + move):
            return False
        return move.opposite() in maze.valid_moves_at(cell + move)

    def turned(self, moves: Any) -> Any:
        return moves


class AsksTheNeighboursWestLast(AsksTheNeighbours):
    order = MOVES

    def turned(self, moves: Any) -> Any:
        return reversed(moves)


class AsksTheNeighboursWestFirst(AsksTheNeighbours):
    order = MOVES


class ReadsSidesOnce:
    """Reads each passage once, from the cell west or north of it, before it searches."""

    order: Sequence[Vector] = MOVES

    def solve(self, maze: Any, search: Any) -> Any:
        doors: dict[Vector, set[Vector]] = {cell: set() for cell in maze.dimension.all_positions()}
        for cell, move in self.read(maze):
            if maze.dimension.includes(cell + move) and maze.is_clear(cell, move):
                doors[cell].add(move)
                doors[cell + move].add(move.opposite())
        return self.down(maze.entry, maze.exit, doors, set())

    def read(self, maze: Any) -> Any:
        return product(maze.dimension.all_positions(), MOVES[1:3])

    def down(self, cell: Vector, exit_: Vector, doors: Any, seen: set[Vector]) -> Any:
        seen.add(cell)
        if cell == exit_:
            return []
        moves = [move for move in self.order if move in doors[cell]]
        for move in moves:
            if cell + move not in seen:
                rest = self.down(cell + move, exit_, doors, seen)
                if rest is not None:
                    return [move, *rest]
        return None


class ReadsSidesInTwoPasses(ReadsSidesOnce):
    """First all sides to the east, then all to the south."""

    def read(self, maze: Any) -> Any:
        return [(cell, move) for move in MOVES[1:3] for cell in maze.dimension.all_positions()]


class ReadsSidesAndGoesWestFirst(ReadsSidesOnce):
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


class OwnQueue:
    floods = False

    def solve(self, maze: Any, search: Any) -> Any:
        ways: dict[Vector, list[Vector]] = {maze.entry: []}
        queue = deque([maze.entry])
        while queue:
            cell = queue.popleft()
            if cell == maze.exit and not self.floods:
                return ways[cell]
            for move in maze.valid_moves_at(cell):
                if cell + move not in ways:
                    ways[cell + move] = [*ways[cell], move]
                    queue.append(cell + move)
        return ways.get(maze.exit)


class Floods(OwnQueue):
    floods = True


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
        *(TakesFromSearch, Recursive, AsksAhead, ProbesAhead, AsksTheNeighbours, AsksTheNeighboursWestLast),
        *(ReadsSidesOnce, ReadsSidesInTwoPasses),
    ),
    "bfs": (OwnQueue, ReadsTheMazeFirst, ProbesTowardsNewCells),
}
"""Others are made from parts, or stand in the bank."""
