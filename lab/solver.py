"""What every solver is: one method that finds a way through a maze."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from lab.maze import Maze
from lab.vector import Vector


class Solver(ABC):
    """Finds a way from the entry of a maze to its exit."""

    @abstractmethod
    def solve(self, maze: Maze, search: Any) -> list[Vector] | None:
        """Return the moves from the entry to the exit, or None where there is no way.

        ``search`` is a new ``Search`` that the solver may use to keep its cells in. The maze is
        left as it was.
        """
