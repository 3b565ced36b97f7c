"""The wall follower: no map and no memory, a hand on the wall and on it goes."""

from __future__ import annotations

from solvers.search import Search

from lab import Maze, Solver, Vector


class WallFollower(Solver):
    """Walks through a maze with its right hand on the wall."""

    def solve(self, maze: Maze, search: Search) -> list[Vector] | None:
        """Return every move of the walk from the entry to the exit, or None where it never comes there.

        The walker stands in the entry and faces north. Before each move it looks to its right, ahead, to its
        left and behind, in this order, and goes through the first side that is open; then it faces the way it
        went. The walk ends when it enters the exit. Where it comes back to where it was, and faces as it did,
        it would go round for ever: there is no way for it. search is not needed. The maze is left as it was.
        """
        raise NotImplementedError
