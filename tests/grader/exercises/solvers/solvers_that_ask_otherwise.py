"""Depth-first solvers that do not ask the maze cell by cell as they visit it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from lab import MOVES, Maze, Vector


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


class LooksAtTheExitFirst:
    """Gives up at once if the exit is walled in, and stops when it sees the exit."""

    def solve(self, maze: Any, search: Any) -> Any:
        return self.down(maze, maze.entry, {maze.entry}) if maze.valid_moves_at(maze.exit) else None

    def down(self, maze: Any, cell: Vector, seen: set[Vector]) -> Any:
        moves = maze.valid_moves_at(cell)
        for move in moves:
            if cell + move == maze.exit:
                return [move]
        for move in moves:
            if cell + move not in seen:
                seen.add(cell + move)
                rest = self.down(maze, cell + move, seen)
                if rest:
                    return [move, *rest]
        return None


class ReadsSidesOnce:
    """Reads each passage once, from the cell west or north of it, before it searches."""

    order: Sequence[Vector] = MOVES
    stops_when_seen = False

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
        if self.stops_when_seen and (last := [move for move in moves if cell + move == exit_]):
            return last
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


class AsksOnceThenReadsTheText(ReadsSidesOnce):
    """Gives up at once if the entry is walled in, and reads everything else from the text."""

    def solve(self, maze: Any, search: Any) -> Any:
        if not maze.valid_moves_at(maze.entry):
            return None
        return super().solve(Maze.from_text(maze.to_text()), search)


class ReadsAndStopsWhenSeen(ReadsSidesOnce):
    stops_when_seen = True


class ReadsSidesAndGoesWestFirst(ReadsSidesOnce):
    order = tuple(reversed(MOVES))
