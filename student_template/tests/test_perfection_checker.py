"""The public tests of perfection_checker.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from statistics import fmean
from typing import Any

from conftest import ASKED, FOLDER, NOW, Looking, at_work, kept_as
from public_cases import controls, drawn
from public_checks import again, complain, ends, of_drawn_cases, stands_for, where_it_was, your
from public_mazes import Situation

from lab import SOUTH, Dimension, Factory, Maze, worker
from lab.commands import student
from lab.commands.mazes import EndlessError, make_bound
from lab.commands.reporter import Failed, fail
from lab.commands.retelling import FailedCall
from lab.exercises import BY_NAME
from lab.telling import of_answer
from lab.watch import Watch, WatchedMaze
from lab.way import describe

OfAll = Callable[[Sequence[float]], float]
KINDS = ("perfect", "with a passage too many", "with a wall too many", "with a cycle and a cell out of reach")
LEAST_TOLD_APART = 0.4
"""Perfect mazes have to be called perfect more often than others, by 40 of 100 at least."""


def try_it(maze: Maze) -> str:
    """Return a command that asks your checker about the maze again."""
    return f"Try it: maze perfect {kept_as(maze)}"


def watch_of(maze: Maze) -> Watch:
    return Watch(make_bound(maze.dimension.position_count))


def ask(checker: Any, maze: Maze, is_wrong: Callable[[Any], bool] = lambda _: False) -> tuple[Any, Maze]:
    """Return your checker's answer about a copy of the maze, and the copy afterwards; of an answer that is
    wrong, a story can be told."""
    say_what_is_asked(maze, is_wrong)
    watch = watch_of(maze)
    given = WatchedMaze.of(maze, watch)
    said = ends("PerfectionChecker", lambda: checker.is_perfect(given), maze, watch, advice=try_it(maze))
    at_work("")
    return said, given


def say_what_is_asked(maze: Maze, is_wrong: Callable[[Any], bool]) -> None:
    call = FailedCall(
        BY_NAME["PerfectionChecker"],
        lambda _: your("PerfectionChecker")().is_perfect(WatchedMaze.of(maze, watch_of(maze))),
        lambda run, said: of_answer(run) if is_wrong(said) else [],
    )
    advice = try_it(maze)
    at_work(lambda: where_it_was(maze, advice), call, size=maze.dimension.position_count)


def truth(said: Any) -> bool | None:
    """Return what an answer means: 1, 0 and None count, too; None if it is no answer."""
    return bool(said) if said is None or isinstance(said, int) else None


def check(text: str, *, perfect: bool, because: str) -> None:
    """Check that your checker gives the right answer."""
    maze = Maze.from_text(text)
    said, _ = ask(your("PerfectionChecker")(), maze, lambda said: truth(said) is not perfect)
    _compare(maze, said, perfect=perfect, because=f": {because}")


def _compare(maze: Maze, said: Any, *, perfect: bool, because: str = "") -> None:
    if truth(said) is not perfect:
        message = f"This maze is {'' if perfect else 'not '}perfect{because}."
        complain(message, maze, str(perfect), describe(said), advice=try_it(maze))


def asked(situation: Situation, is_wrong: Callable[[Any], bool]) -> tuple[Any, Maze]:
    """Do the same with a new checker, which is asked once about each maze: other tests look at the answer."""
    maze = situation.maze
    say_what_is_asked(maze, is_wrong)
    found = ASKED.get(situation.text)
    if found is None:
        watch = watch_of(maze)
        given = WatchedMaze.of(maze, watch)
        ASKED[situation.text] = worker.TookTooLong([])  # until it ends
        try:
            found = your("PerfectionChecker")().is_perfect(given), given
        except Exception as error:  # noqa: BLE001 - your code may raise anything
            found = student.short(error)
        ASKED[situation.text] = found
    if isinstance(found, EndlessError):
        ends("PerfectionChecker", partial(again, found), maze, watch_of(maze), advice=try_it(maze))
    if isinstance(found, BaseException):
        raise found
    at_work("")
    answer: tuple[Any, Maze] = found
    return answer


def is_right(situation: Situation) -> None:
    """Check that your checker gives the right answer."""
    perfect = situation.is_perfect
    said, _ = asked(situation, lambda said: truth(said) is not perfect)
    _compare(situation.maze, said, perfect=perfect)


def leaves_alone(situation: Situation) -> None:
    """Check that your checker leaves the maze as it was."""
    _, after = asked(situation, lambda _: False)
    if after.to_text() != situation.text:
        was = "the maze above, as it was"
        complain("The checker changed the maze.", situation.maze, was, f"\n{after.to_text()}")


def is_true_or_false(situation: Situation) -> None:
    """Check that your checker answers True or False."""
    said, _ = asked(situation, lambda said: not isinstance(said, bool))
    if not isinstance(said, bool):
        message = f"is_perfect returned {describe(said)}; expected True or False, in every case."
        complain(message, situation.maze, "True or False", describe(said), advice=try_it(situation.maze))


def look_at(check: str, judge: Callable[[Situation], None], of_all: OfAll = max) -> Looking:
    """Let a judge look at the drawn mazes of a check; it counts for a checker that tells mazes apart."""
    control = partial(check_that_it_tells_apart, of_all)
    cases = drawn("perfection", check)
    return Looking(lambda case: judge(case.given[0]), cases, ends_elsewhere=False, control=control)


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
        f"{told}\n\nof {len(controls('perfection')) // len(KINDS)} mazes of each kind.",
    )


@cache
def shares_of_yes() -> tuple[float, ...]:
    """Return of how many mazes of each kind your checker says that they are perfect, as shares of 1."""
    sets = [case.given[0] for case in controls("perfection")]
    said = [_meanings(sets[kind :: len(KINDS)]) for kind in range(len(KINDS))]
    usual, _ = Counter(said[0]).most_common(1)[0]
    yes = True if usual in (None, True, False) else usual  # in words of its own
    return tuple(fmean(answer == yes for answer in answers) for answers in said)


def _meanings(mazes: Sequence[Situation]) -> list[bool | str | None]:
    """Return what your checker answers, as far as it means something; None where it comes to no end, which
    is tried once and then taken for granted."""
    meant: list[bool | str | None] = []
    for situation in mazes:
        said = None
        if NOW.ended != "endless":
            with suppress(Failed, Exception):  # it may fail here in any way, which other tests tell
                said, _ = asked(situation, lambda _: False)
        meant.append(said if isinstance(said, str) else truth(said) if NOW.ended != "endless" else None)
    NOW.ended = "returned"
    return meant


def room(rows: int, columns: int) -> Maze:
    return Factory().fully_connected(Dimension(rows, columns))


PERFECT, SHAPES = stands_for("perfect"), stands_for("shapes")
MORE, FEWER = stands_for("extra-passage"), stands_for("missing-passage")
BOTH = stands_for("cycle-and-island")
ENTRY = stands_for("entry-and-exit")


class TestPerfectionChecker:
    endless = 0
    """How often it came to no end, in the test that asks one checker several times."""

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
        check(text, perfect=True, because="every cell can be reached, in one way")

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
        check(text, perfect=True, because="it has branches, but no two ways to any cell")

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
        check(text, perfect=True, because="all ways meet in the middle, and none goes round")

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

    @BOTH
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
        """calls an empty room imperfect"""
        text = room(6, 5).to_text()
        check(text, perfect=False, because="without walls many ways lead from cell to cell")

    @FEWER
    def test_all_walls(self) -> None:
        """calls a maze with all its walls imperfect"""
        walls = Factory().fully_disconnected(Dimension(4, 5)).to_text()
        check(walls, perfect=False, because="no cell can be reached from another")

    @PERFECT
    @of_drawn_cases
    def test_perfect(self) -> Looking:
        """calls drawn perfect mazes perfect"""
        return look_at("perfect", is_right, fmean)

    @MORE
    @of_drawn_cases
    def test_more(self) -> Looking:
        """calls drawn mazes with a passage too many imperfect"""
        return look_at("extra-passage", is_right)

    @FEWER
    @of_drawn_cases
    def test_fewer(self) -> Looking:
        """calls drawn mazes with a wall too many imperfect"""
        return look_at("missing-passage", is_right)

    @BOTH
    @of_drawn_cases
    def test_both(self) -> Looking:
        """calls drawn mazes with a cycle and cells out of reach imperfect"""
        return look_at("cycle-and-island", is_right)

    @SHAPES
    @of_drawn_cases
    def test_shapes(self) -> Looking:
        """is right on drawn rows, columns and other long mazes"""
        return look_at("shapes", is_right)

    @ENTRY
    @of_drawn_cases
    def test_entry_and_exit(self) -> Looking:
        """is right wherever entry and exit are"""
        return look_at("entry-and-exit", is_right)

    @stands_for("unchanged")
    @of_drawn_cases
    def test_unchanged(self) -> Looking:
        """leaves the maze as it was"""
        return look_at("unchanged", leaves_alone, fmean)

    @stands_for("true-or-false")
    @of_drawn_cases
    def test_true_or_false(self) -> Looking:
        """answers True or False, in every case"""
        return look_at("true-or-false", is_true_or_false, fmean)

    @stands_for("repeat")
    def test_two_mazes(self) -> None:
        """checks a second maze as well as the first"""
        checker = your("PerfectionChecker")()
        rooms = ((room(2, 2), False), (room(1, 2), True), (room(2, 2), False))
        all(self.is_right_again(checker, maze, expected=expected) for maze, expected in rooms)
        for case in drawn("perfection", "repeat"):
            if self.endless > 1:
                break
            checker = your("PerfectionChecker")()
            mazes = ((each.maze, each.is_perfect) for each in case.given)
            all(self.is_right_again(checker, maze, expected=expected) for maze, expected in mazes)
        check_that_it_tells_apart(fmean)

    def is_right_again(self, checker: Any, maze: Maze, *, expected: bool) -> bool:
        """Check that a checker is right after others, where it is right on its own; tell whether it is."""
        said = self.said_by(checker, maze)
        if truth(said) is expected:
            return True
        student.forget(FOLDER)
        NOW.ended = "returned"
        alone = self.said_by(your("PerfectionChecker")(), maze)
        if truth(alone) is expected:  # else it is wrong on its own as well
            message = "Right on its own, and wrong after another maze: what does your checker remember?"
            complain(message, maze, str(expected), describe(said))
        NOW.ended = "returned"
        return False

    def said_by(self, checker: Any, maze: Maze) -> Any:
        """Return what a checker says; a word where it fails, which other tests tell."""
        try:
            return ask(checker, maze)[0]
        except NotImplementedError:
            raise
        except (Failed, Exception):  # noqa: BLE001 - your code may raise anything
            self.endless += NOW.ended == "endless"
            return "no answer"

    @stands_for("deep")
    def test_long_corridor(self) -> None:
        """checks a corridor of 3000 cells"""
        check(room(1, 3000).to_text(), perfect=True, because="a corridor of 3000 cells has one way only")
