"""The public tests of perfection_checker.py."""

from __future__ import annotations

from typing import Any

from conftest import FOLDER, at_work
from public_checks import complain, ends, where_it_was, your

from lab import Dimension, Factory, Maze
from lab.commands import student
from lab.commands.mazes import make_bound
from lab.commands.suspicions import counted_twice
from lab.watch import Watch, WatchedMaze
from lab.way import describe

TRY = "Try it: save the maze as maze.txt, and  maze perfect maze.txt"


def answer(checker: Any, maze: Maze) -> Any:
    """Return your checker's answer, after a check that it left the maze unchanged."""
    watch = Watch(make_bound(maze.dimension.position_count))
    given = WatchedMaze.of(maze, watch)
    at_work(where_it_was(maze, TRY))
    said = ends("PerfectionChecker", lambda: checker.is_perfect(given), maze, watch, advice=TRY)
    if given.to_text() != maze.to_text():
        complain("The checker changed the maze.", maze, "the maze above, as it was", f"\n{given.to_text()}")
    return said


def check(text: str, *, perfect: bool, because: str) -> None:
    """Check that your checker gives the expected answer."""
    maze = Maze.from_text(text)
    said = answer(your("PerfectionChecker")(), maze)
    if said is not perfect:
        message = f"This maze is {'' if perfect else 'not '}perfect: {because}."
        if not isinstance(said, bool):
            message = (
                f"is_perfect returned {describe(said)}; expected True or False, in every case. {message}"
            )
        elif perfect:
            twice = counted_twice(lambda corridor: your("PerfectionChecker")().is_perfect(corridor))
            message = f"{message} {twice}".rstrip()
        complain(message, maze, str(perfect), describe(said), advice=TRY)


class TestPerfectionChecker:
    def test_corridor(self) -> None:
        """calls a corridor perfect"""
        text = """
+-+-+-+-+
|S     E|
+-+-+-+-+
"""
        check(text, perfect=True, because="every cell can be reached, in one way")

    def test_turns(self) -> None:
        """calls a corridor with turns perfect"""
        text = """
+-+-+-+
|S|   |
+ + + +
|   |E|
+-+-+-+
"""
        check(text, perfect=True, because="every cell can be reached, in one way")

    def test_branches(self) -> None:
        """calls a maze with branches and dead ends perfect"""
        text = """
+-+-+-+
|   | |
+-+ + +
|  S  |
+ +-+ +
|  E| |
+-+-+-+
"""
        check(text, perfect=True, because="it has branches, but no two ways to any cell")

    def test_star(self) -> None:
        """calls a crossing of corridors perfect"""
        text = """
+-+-+-+
|S    |
+-+ +-+
|     |
+-+ +-+
|    E|
+-+-+-+
"""
        check(text, perfect=True, because="all ways meet in the middle, and none goes round")

    def test_small_room(self) -> None:
        """calls a room of two by two cells imperfect"""
        text = """
+-+-+
|S  |
+ + +
|  E|
+-+-+
"""
        check(text, perfect=False, because="two ways lead from S to E")

    def test_cycle(self) -> None:
        """calls a maze with one cycle imperfect"""
        text = """
+-+-+-+
|S    |
+ +-+ +
| | | |
+ + + +
|    E|
+-+-+-+
"""
        check(text, perfect=False, because="two ways lead from S to E")

    def test_cycle_far_from_the_entry(self) -> None:
        """finds a cycle far from the entry"""
        text = """
+-+-+-+-+
|S     E|
+-+-+ +-+
|   |   |
+ +-+ + +
|       |
+-+-+-+-+
"""
        check(text, perfect=False, because="the four cells in the south-east form a cycle")

    def test_unreachable_cell(self) -> None:
        """calls a maze with an unreachable cell imperfect"""
        text = """
+-+-+-+
|S   E|
+ +-+-+
|   | |
+-+-+-+
"""
        check(text, perfect=False, because="the cell in the south-east cannot be reached")

    def test_cycle_and_unreachable_cell(self) -> None:
        """is not deceived by as many openings as a perfect maze has"""
        text = """
+-+-+-+
|S  | |
+ + +-+
|    E|
+-+-+-+
"""
        check(text, perfect=False, because="a cycle and a cell out of reach do not make up for each other")

    def test_no_exit(self) -> None:
        """calls a maze without an exit perfect"""
        text = """
+-+-+
|S  |
+-+ +
|   |
+-+-+
"""
        check(text, perfect=True, because="whether there is an exit plays no part")

    def test_entry_anywhere(self) -> None:
        """does not depend on where the entry is"""
        text = """
+-+-+-+
|E|   |
+ +-+ +
|    S|
+ +-+-+
|     |
+-+-+-+
"""
        check(text, perfect=True, because="where entry and exit are plays no part")

    def test_one_cell(self) -> None:
        """calls a maze of one cell perfect"""
        check("+-+\n|S|\n+-+", perfect=True, because="its one cell can be reached")

    def test_empty_room(self) -> None:
        """calls a large empty room imperfect"""
        room = Factory().fully_connected(Dimension(12, 15)).to_text()
        check(room, perfect=False, because="without walls many ways lead from cell to cell")

    def test_all_walls(self) -> None:
        """calls a maze with all its walls imperfect"""
        walls = Factory().fully_disconnected(Dimension(4, 5)).to_text()
        check(walls, perfect=False, because="no cell can be reached from another")

    def test_long_corridor(self) -> None:
        """checks a corridor of 3000 cells"""
        corridor = Factory().fully_connected(Dimension(1, 3000)).to_text()
        check(corridor, perfect=True, because="a corridor of 3000 cells has one way only")

    def test_two_mazes(self) -> None:
        """checks a second maze as well as the first"""
        checker = your("PerfectionChecker")()
        room, corridor = (Factory().fully_connected(Dimension(*size)) for size in ((2, 2), (1, 2)))
        for maze, expected in ((room, False), (corridor, True), (room, False)):
            said = answer(checker, maze)
            if said is not expected:
                student.forget(FOLDER)
                because = "one way joins its cells" if expected else "two ways lead from S to E"
                check(maze.to_text(), perfect=expected, because=because)  # it may be wrong on its own as well
                message = "Right on its own, and wrong after another maze: what does your checker remember?"
                complain(message, maze, str(expected), describe(said))
