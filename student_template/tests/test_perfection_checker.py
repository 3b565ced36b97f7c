"""The public tests of perfection_checker.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from statistics import fmean
from typing import Any

from conftest import FOLDER, at_work, kept_as
from public_checks import complain, ends, stands_for, where_it_was, your

from lab import SOUTH, Dimension, Factory, Maze
from lab.commands import student
from lab.commands.mazes import make_bound
from lab.commands.reporter import fail
from lab.commands.retelling import FailedCall
from lab.exercises import BY_NAME
from lab.generators import AldousBroder
from lab.telling import of_answer
from lab.watch import Watch, WatchedMaze
from lab.way import describe

OfAll = Callable[[Sequence[float]], float]
KINDS = ("perfect", "with a passage too many", "with a wall too many", "with a cycle and a cell out of reach")
LEAST_TOLD_APART = 0.4
"""Perfect mazes have to be called perfect more often than others, by 40 of 100 at least."""
SIDES = ((3, 3), (2, 3), (3, 5), (4, 4), (5, 3), (3, 4), (5, 5), (4, 5), (6, 4))


def try_it(maze: Maze) -> str:
    """Return a command that asks your checker about the maze again."""
    return f"Try it: maze perfect {kept_as(maze)}"


def watch_of(maze: Maze) -> Watch:
    return Watch(make_bound(maze.dimension.position_count))


def ask(checker: Any, maze: Maze, is_wrong: Callable[[Any], bool] = lambda _: False) -> tuple[Any, Maze]:
    """Return your checker's answer about a copy of the maze, and the copy afterwards; of an answer that is
    wrong, a story can be told."""
    watch = watch_of(maze)
    given = WatchedMaze.of(maze, watch)
    call = FailedCall(
        BY_NAME["PerfectionChecker"],
        lambda _: your("PerfectionChecker")().is_perfect(WatchedMaze.of(maze, watch_of(maze))),
        lambda run, said: of_answer(run) if is_wrong(said) else [],
    )
    at_work(where_it_was(maze, try_it(maze)), call)
    said = ends("PerfectionChecker", lambda: checker.is_perfect(given), maze, watch, advice=try_it(maze))
    at_work("")
    return said, given


def truth(said: Any) -> bool | None:
    """Return what an answer means: 1, 0 and None count, too; None if it is no answer."""
    return bool(said) if said is None or isinstance(said, int) else None


def check(text: str, *, perfect: bool, because: str, of_all: OfAll = max) -> None:
    """Check that your checker gives the right answer, and tells perfect mazes from others."""
    maze = Maze.from_text(text)
    said, _ = ask(your("PerfectionChecker")(), maze, lambda said: truth(said) is not perfect)
    if truth(said) is not perfect:
        message = f"This maze is {'' if perfect else 'not '}perfect: {because}."
        complain(message, maze, str(perfect), describe(said), advice=try_it(maze))
    check_that_it_tells_apart(of_all)


def check_that_it_tells_apart(of_all: OfAll) -> None:
    """Check that your checker calls perfect mazes perfect more often than others: of one kind, with ``max``,
    or of all kinds together, with ``fmean``."""
    perfect, *others = shares_of_yes()
    if of_all([perfect - other for other in others]) >= LEAST_TOLD_APART:
        return
    told = "\n".join(
        f"    {share:4.0%} of those {kind}" if kind != "perfect" else f"    {share:4.0%} of perfect mazes"
        for kind, share in zip(KINDS, (perfect, *others), strict=True)
    )
    fail(
        "This counts only for a checker that tells perfect mazes from others. Yours calls perfect\n\n"
        f"{told}\n\nof {len(SIDES)} mazes of each kind.",
    )


@cache
def shares_of_yes() -> tuple[float, ...]:
    """Return of how many mazes of each kind your checker says that they are perfect, as shares of 1."""
    sets = [_four_mazes(number, *sides) for number, sides in enumerate(SIDES)]
    said = [_meanings([texts[kind] for texts in sets]) for kind in range(len(KINDS))]
    usual, _ = Counter(said[0]).most_common(1)[0]
    yes = True if usual in (None, True, False) else usual  # in words of its own
    return tuple(fmean(answer == yes for answer in answers) for answers in said)


def _meanings(texts: Sequence[str]) -> list[bool | str | None]:
    """Return what your checker answers, as far as it means something; None where it comes to no end, which
    is tried twice and then taken for granted."""
    meant: list[bool | str | None] = []
    left = 2
    for maze in map(Maze.from_text, texts):
        said = None
        if left:
            try:
                said = your("PerfectionChecker")().is_perfect(WatchedMaze.of(maze, watch_of(maze)))
            except Exception:  # noqa: BLE001 - it may fail here in any way, which other tests tell
                left -= 1
        meant.append(said if isinstance(said, str) else truth(said) if left else None)
    return meant


def _four_mazes(number: int, rows: int, columns: int) -> tuple[str, str, str, str]:
    """Return a perfect maze, and what becomes of it with a passage too many, a wall too many, and both."""
    rng = Random(number)
    tree = AldousBroder(rng).generate(Factory(), Dimension(rows, columns))
    cells = tree.dimension.all_positions()
    dead_ends = [cell for cell in cells[1:-1] if len(tree.valid_moves_at(cell)) == 1]
    sides = [(cell, move) for cell in cells for move in tree.moves_at(cell) if tree.is_wall(cell, move)]
    more, fewer, as_many = tree.copy(), tree.copy(), tree.copy()
    more.break_wall(*rng.choice(sides))
    end = rng.choice(dead_ends)
    for maze in (fewer, as_many):
        maze.build_wall(end, tree.valid_moves_at(end)[0])
    as_many.break_wall(*rng.choice([(cell, move) for cell, move in sides if end not in (cell, cell + move)]))
    return tree.to_text(), more.to_text(), fewer.to_text(), as_many.to_text()


def room(rows: int, columns: int) -> Maze:
    return Factory().fully_connected(Dimension(rows, columns))


PERFECT, SHAPES = stands_for("perfect"), stands_for("shapes")
MORE, FEWER = stands_for("extra-passage"), stands_for("missing-passage")
ENTRY = stands_for("entry-and-exit")


class TestPerfectionChecker:
    @SHAPES
    def test_corridor(self) -> None:
        """calls a corridor perfect"""
        text = """
+-+-+-+-+
|S     E|
+-+-+-+-+
"""
        check(text, perfect=True, because="every cell can be reached, in one way")

    @PERFECT
    def test_turns(self) -> None:
        """calls a corridor with turns perfect"""
        text = """
+-+-+-+
|S|   |
+ + + +
|   |E|
+-+-+-+
"""
        check(text, perfect=True, of_all=fmean, because="every cell can be reached, in one way")

    @PERFECT
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
        check(text, perfect=True, of_all=fmean, because="it has branches, but no two ways to any cell")

    @PERFECT
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
        check(text, perfect=True, of_all=fmean, because="all ways meet in the middle, and none goes round")

    @MORE
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

    @MORE
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

    @MORE
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

    @FEWER
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

    @stands_for("cycle-and-island")
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

    @ENTRY
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

    @ENTRY
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

    @SHAPES
    def test_one_cell(self) -> None:
        """calls a maze of one cell perfect"""
        check("+-+\n|S|\n+-+", perfect=True, because="its one cell can be reached")

    @SHAPES
    def test_parted_corridor(self) -> None:
        """calls a corridor that is walled off imperfect"""
        corridor = room(5, 1)
        corridor.build_wall((3, 1), SOUTH)
        check(corridor.to_text(), perfect=False, because="two cells cannot be reached")

    @MORE
    def test_empty_room(self) -> None:
        """calls a large empty room imperfect"""
        text = room(12, 15).to_text()
        check(text, perfect=False, because="without walls many ways lead from cell to cell")

    @FEWER
    def test_all_walls(self) -> None:
        """calls a maze with all its walls imperfect"""
        walls = Factory().fully_disconnected(Dimension(4, 5)).to_text()
        check(walls, perfect=False, because="no cell can be reached from another")

    @stands_for("deep")
    def test_long_corridor(self) -> None:
        """checks a corridor of 3000 cells"""
        check(room(1, 3000).to_text(), perfect=True, because="a corridor of 3000 cells has one way only")

    @stands_for("unchanged")
    def test_unchanged(self) -> None:
        """leaves the maze as it was"""
        for texts in (_four_mazes(0, 3, 3), _four_mazes(1, 4, 5)):
            for maze in map(Maze.from_text, texts):
                _, after = ask(your("PerfectionChecker")(), maze)
                if after.to_text() != maze.to_text():
                    was = "the maze above, as it was"
                    complain("The checker changed the maze.", maze, was, f"\n{after.to_text()}")
        check_that_it_tells_apart(fmean)

    @stands_for("true-or-false")
    def test_true_or_false(self) -> None:
        """answers True or False, in every case"""
        for maze in (*map(Maze.from_text, _four_mazes(2, 4, 4)), room(1, 4)):
            said, _ = ask(your("PerfectionChecker")(), maze, lambda said: not isinstance(said, bool))
            if not isinstance(said, bool):
                message = f"is_perfect returned {describe(said)}; expected True or False, in every case."
                complain(message, maze, "True or False", describe(said), advice=try_it(maze))
        check_that_it_tells_apart(fmean)

    @stands_for("repeat")
    def test_two_mazes(self) -> None:
        """checks a second maze as well as the first"""
        checker = your("PerfectionChecker")()
        for maze, expected in ((room(2, 2), False), (room(1, 2), True), (room(2, 2), False)):
            said, _ = ask(checker, maze)
            if truth(said) is expected:
                continue
            student.forget(FOLDER)
            alone, _ = ask(your("PerfectionChecker")(), maze)
            if truth(alone) is expected:  # else it is wrong on its own as well
                message = "Right on its own, and wrong after another maze: what does your checker remember?"
                complain(message, maze, str(expected), describe(said))
        check_that_it_tells_apart(fmean)
