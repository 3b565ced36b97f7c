from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Iterator, final

from lab.maze import Maze
from lab.solver import Solver
from lab.vector import Vector

if TYPE_CHECKING:
    from solvers.search import Search


@dataclass(frozen=True, slots=True)
class Step:
    """One step, and the one before it."""

    cell: Vector
    move: Vector | None = None
    before: Step | None = None

    def back(self) -> Iterator[Vector]:
        step: Step | None = self
        while step is not None and step.move is not None:
            yield step.move
            step = step.before


@final
class BFS(Solver):
    """Breadth first."""

    LIMIT: Final = None
    __slots__ = ()

    def solve(self, maze: Maze, search: Search) -> list[Vector] | None:
        """Return a shortest way."""
        queue: deque[Step] = deque([Step(maze.entry)])
        seen: set[Vector] = {maze.entry}
        while queue:
            step = queue.popleft()
            if maze.is_exit(step.cell):
                return list(step.back())[::-1]
            for move in maze.valid_moves_at(step.cell):
                if (cell := step.cell + move) not in seen:
                    seen.add(cell)
                    queue.append(Step(cell, move, step))
        return None
