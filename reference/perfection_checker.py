"""Whether a maze is perfect: a spanning tree of its grid."""

from __future__ import annotations

from lab import Maze, Vector


class PerfectionChecker:
    """Walks through the whole maze, and looks for a second way to a cell."""

    def is_perfect(self, maze: Maze) -> bool:
        """Tell whether there is exactly one way between any two cells.

        A neighbour that is known already closes a circle, unless it is the cell that this one was
        reached from. That is not the cell visited last: after a dead end the walk goes on from
        a cell further back, and a maze that branches is no less perfect. Entry and exit play no
        part, so the walk starts in (1, 1), which every maze has.
        """
        start = Vector(1, 1)
        seen = {start}
        pending: list[tuple[Vector, Vector | None]] = [(start, None)]
        while pending:
            position, came_from = pending.pop()
            for move in maze.valid_moves_at(position):
                neighbour = position + move
                if neighbour == came_from:
                    continue
                if neighbour in seen:
                    return False
                seen.add(neighbour)
                pending.append((neighbour, position))
        return len(seen) == maze.dimension.position_count
