"""The public tests of solvers/cheapest.py."""

from __future__ import annotations

import public_mazes as mazes
from public_checks import complain, returned_text, solve, stands_for

from lab import Maze
from lab.costs import costs_on, sum_text
from lab.way import flaw, is_list

MAZES = (
    (3, "+-+-+\n|S2 |\n+2+ +\n|  E|\n+-+-+"),
    (5, "+-+-+-+\n|S9E  |\n+ +-+ +\n|     |\n+-+-+-+"),
    (5, "+-+-+-+\n|S9  E|\n+ +-+ +\n| 2   |\n+-+-+-+"),
    (
        4,
        """
+-+-+-+
| 5  S|
+ +5+ +
| |   |
+ + +5+
|    E|
+-+-+-+
""",
    ),
    (
        11,
        """
+-+-+-+-+-+-+
|E2   2 2   |
+ +-+-+-+-+ +
|       2   |
+2+2+-+ +-+-+
| |       2 |
+ +2+-+-+-+2+
| 2   2     |
+2+2+ +-+2+ +
|       2S2 |
+-+-+-+-+-+-+
""",
    ),
)
"""Mazes, each after what a cheapest way costs."""


class TestCheapest:
    """Of several ways one that costs least, whichever it is."""

    def finds(self, maze: Maze, least: int | None) -> None:
        """Compare what the returned way costs with the least cost; None where there is no way."""
        returned, _ = solve("Cheapest", maze)
        expected = "None" if least is None else f"a way that costs {least}"
        if is_list(returned) and flaw(maze, returned) is None:
            costs = costs_on(maze, [*returned])
            told = f"Cheapest found a way that costs {sum_text(costs)}, though another costs {least}."
            is_right = sum(costs) == least
        else:
            told = f"Cheapest {flaw(maze, returned) or 'returned None, though there is a way'}."
            is_right = returned is None and least is None
        if not is_right:
            complain(told, maze, expected, returned_text(returned))

    @stands_for("one-way")
    def test_corridor(self) -> None:
        """finds the only way through a corridor with turns"""
        self.finds(mazes.TURNS.maze, 5)

    @stands_for("one-way")
    def test_dead_ends(self) -> None:
        """finds the only way among many dead ends"""
        self.finds(mazes.DEAD_ENDS.maze, 6)

    @stands_for("least-cost")
    def test_costs(self) -> None:
        """finds a way that costs least"""
        for least, text in MAZES:
            self.finds(Maze.from_text(text), least)

    @stands_for("no-way")
    def test_walled_in(self) -> None:
        """returns None where the entry is walled in"""
        self.finds(mazes.WALLED_IN.maze, None)

    @stands_for("no-way")
    def test_no_exit(self) -> None:
        """returns None where there is no exit"""
        self.finds(mazes.NO_EXIT.maze, None)

    @stands_for("no-way")
    def test_unreachable_exit(self) -> None:
        """returns None where no way leads to the exit"""
        self.finds(mazes.UNREACHABLE_EXIT.maze, None)
