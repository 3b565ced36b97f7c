"""The public tests of solvers/wall_follower.py."""

from __future__ import annotations

import public_mazes as mazes
from public_checks import complain, returned_text, solve, stands_for

from lab import MOVES, Maze
from lab.way import moves_text

ISLAND = """
+-+-+-+-+-+
|S        |
+ +-+-+-+ +
| |     | |
+ + + + + +
| |  E  | |
+ + +-+ + +
| |       |
+ +-+-+-+ +
|         |
+-+-+-+-+-+
"""
"""The exit stands in the middle, and no wall leads there."""


class TestWallFollower:
    """The walk is determined, move by move."""

    def walks(self, maze: Maze, letters: str | None) -> None:
        """Compare the walk with the moves by their first letters; None where there is no such walk."""
        expected = (
            None if letters is None else [move for each in letters for move in MOVES if move.name[0] == each]
        )
        returned, _ = solve("WallFollower", maze)
        actual = [*returned] if isinstance(returned, list | tuple) else returned
        if actual != expected:
            told = "None" if expected is None else moves_text(expected)
            complain("WallFollower does not walk by the rule.", maze, told, returned_text(returned))

    @stands_for("corridors")
    def test_corridor(self) -> None:
        """follows a corridor with turns"""
        self.walks(mazes.TURNS.maze, "senes")

    @stands_for("perfect")
    def test_dead_end(self) -> None:
        """walks into a dead end, and out again"""
        self.walks(mazes.DEAD_END.maze, "eewwsee")

    @stands_for("perfect")
    def test_dead_ends(self) -> None:
        """keeps to the wall on the right among many dead ends"""
        self.walks(mazes.DEAD_ENDS.maze, "eswsee")

    @stands_for("no-way")
    def test_walled_in(self) -> None:
        """returns None where the entry is walled in"""
        self.walks(mazes.WALLED_IN.maze, None)

    @stands_for("no-way")
    def test_no_exit(self) -> None:
        """returns None where there is no exit"""
        self.walks(mazes.NO_EXIT.maze, None)

    @stands_for("cycles")
    def test_round_and_round(self) -> None:
        """returns None where the wall never leads to the exit"""
        self.walks(Maze.from_text(ISLAND), None)
