"""Whether a maze is perfect."""

from __future__ import annotations

from lab import Maze


class PerfectionChecker:
    """Tells perfect mazes from the others."""

    def is_perfect(self, maze: Maze) -> bool:
        """Tell whether every cell can be reached, and exactly one way joins any two cells.

        Where the entry and the exit are plays no part, nor whether there is an exit. The maze is
        left as it was.
        """
        raise NotImplementedError
