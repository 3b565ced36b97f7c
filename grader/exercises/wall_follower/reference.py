"""The wall follower: right, ahead, left, back, until the exit or a step that was made before."""

from __future__ import annotations

from lab import MOVES, NORTH, Maze, Solver, Vector


class WallFollower(Solver):
    """Walks through a maze with its right hand on the wall."""

    def solve(self, maze: Maze, search: object) -> list[Vector] | None:  # noqa: ARG002 - as solvers are called
        """Return every move of the walk from the entry to the exit, or None where it never comes there."""
        position, facing = maze.entry, NORTH
        made: dict[tuple[Vector, Vector], None] = {}
        while not maze.is_exit(position):
            side = MOVES.index(facing)
            turned = [MOVES[(side + turn) % 4] for turn in (1, 0, 3, 2)]
            facing = next((move for move in turned if maze.is_clear(position, move)), facing)
            if (position, facing) in made or not maze.valid_moves_at(position):
                return None
            made[position, facing] = None
            position = position + facing
        return [move for _, move in made]
