"""The public tests of is_way.py."""

from __future__ import annotations

import public_mazes as mazes
from public_checks import complain, stands_for, your

from lab import MOVES, Maze


class TestIsWay:
    """Moves, by their first letters, and whether they are a way."""

    def answers(self, maze: Maze, letters: str, *, right: bool) -> None:
        """Compare the answer about moves with what is right."""
        moves = [move for each in letters for move in MOVES if move.name[0] == each]
        given = maze.copy()
        came = your("is_way")(given, [*moves])
        if given.to_text() != maze.to_text():
            complain("is_way changed the maze.", maze, "the maze as it was", "it was changed")
        if came is not right:
            told = ", ".join(move.name for move in moves) or "no moves"
            complain(f"is_way answers wrongly for {told}.", maze, str(right), repr(came))

    @stands_for("ways")
    def test_corridor(self) -> None:
        """a corridor with turns, from the entry to the exit"""
        self.answers(mazes.TURNS.maze, "senes", right=True)

    @stands_for("ways")
    def test_detour(self) -> None:
        """a way into a dead end, and out again"""
        self.answers(mazes.DEAD_END.maze, "eewwsee", right=True)

    @stands_for("walls")
    def test_wall(self) -> None:
        """a move into a wall"""
        self.answers(mazes.TURNS.maze, "senee", right=False)

    @stands_for("walls")
    def test_border(self) -> None:
        """a move over the border"""
        self.answers(mazes.TURNS.maze, "n", right=False)

    @stands_for("ends")
    def test_too_short(self) -> None:
        """moves that stop before the exit"""
        self.answers(mazes.TURNS.maze, "sene", right=False)

    @stands_for("ends")
    def test_goes_on(self) -> None:
        """moves that come to the exit, and go on"""
        self.answers(mazes.TURNS.maze, "senesn", right=False)

    @stands_for("ends")
    def test_no_exit(self) -> None:
        """a maze without an exit"""
        self.answers(mazes.NO_EXIT.maze, "", right=False)
