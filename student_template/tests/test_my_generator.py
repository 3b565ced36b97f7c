"""The public tests of generators/my_generator.py."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import cache, partial
from random import Random
from traceback import extract_stack
from typing import Any, NoReturn

from conftest import ASKED, FOLDER, SMALL, Looking, at_work
from public_cases import Case, drawn
from public_checks import complain, ends, of_drawn_cases, stands_for, your

from lab import Dimension, Factory, Maze, Vector
from lab.commands import slips, student
from lab.commands.building import NotedMaze, NotingFactory
from lab.commands.compare import draw_marked
from lab.commands.mazes import make_bound
from lab.commands.reporter import fail, for_each
from lab.commands.retelling import FailedCall, Tell, Watching
from lab.exercises import BY_NAME
from lab.generators import AldousBroder
from lab.luck import Luck
from lab.recorded import Told
from lab.story import Recorded
from lab.telling import of_answer, of_maze
from lab.watch import Watch
from lab.way import cell_text, describe

EXPECTED = "one way between any two cells"
ROOMY, WHOLE = (8, 8), (18, 18)
MOST_FAULTS = 1 / 8
"""Mazes are perfect on the whole where at most one passage for eight cells is missing, or too many."""


def tell_no_maze(run: Recorded, made: Any) -> list[Told]:
    """Tell how what is no maze came about."""
    return [] if isinstance(made, Maze) else of_answer(run)


def tell_luck(run: Recorded, made: Any) -> list[Told]:
    """Tell what else a maze was drawn from than its generator's rng."""
    return run.of_luck() if isinstance(made, Maze) else of_answer(run)


def tell_flaw(run: Recorded, made: Any) -> list[Told]:
    """Tell where a maze went wrong."""
    return of_maze(run, made) if isinstance(made, Maze) and _faults(made) else tell_no_maze(run, made)


def generate(rows: int, columns: int, *, seed: int = 1, tell: Tell = tell_no_maze) -> Maze:
    """Return a maze of a new generator of yours."""
    return generate_some(rows, columns, seed=seed, count=1, tell=tell)[0]


def generate_some(rows: int, columns: int, *, seed: int, count: int, tell: Tell = tell_no_maze) -> list[Maze]:
    """Return mazes that one generator of yours makes one after the other, after a check of their type."""
    dimension, advice = Dimension(rows, columns), try_it(rows, columns, seed)
    asked = f"{rows} x {columns} cells, seed {seed}"
    once = FailedCall(BY_NAME["MyGenerator"], partial(_make_again, dimension, seed), tell)
    size = count * dimension.position_count
    at_work(f"It was to make {asked}.\n{advice}", once if count == 1 else None, size=size)
    generator = your("MyGenerator")(Random(seed))
    empty, made = Factory().fully_connected(dimension), []
    for _ in range(count):
        watch = Watch(make_bound(dimension.position_count))
        call, name = partial(generator.generate, NotingFactory(watch), dimension), f"MyGenerator({asked})"
        with refusing():  # a file may try AldousBroder out while it is loaded
            maze = ends(name, call, empty, watch, advice=advice)
        if not isinstance(maze, Maze):
            _no_maze(asked, maze)
        made.append(maze.apart() if isinstance(maze, NotedMaze) else Maze.from_text(maze.to_text()))
    at_work("")
    return made


def _make_again(dimension: Dimension, seed: int, watching: Watching) -> Any:
    factory = NotingFactory(Watch(make_bound(dimension.position_count)))
    rng = Random(seed)
    with Luck(rng) as luck:
        watching({"opened": factory.opened, "drawn": luck.drawn})
        return your("MyGenerator")(rng).generate(factory, dimension)


@contextmanager
def refusing() -> Iterator[None]:
    """Refuse that your generator hands its work on."""
    given = AldousBroder.generate
    AldousBroder.generate = refuse  # type: ignore[method-assign]
    try:
        yield
    finally:
        AldousBroder.generate = given  # type: ignore[method-assign]


def refuse(*_arguments: object) -> NoReturn:
    """Fail, since your generator hands its work on, and say where."""
    place = student.trace(FOLDER, extract_stack())
    place = f", here:\n{place}" if place else ": it has no generate of its own."
    message = f"MyGenerator hands its work on to AldousBroder, which earns nothing{place}"
    _fail(message, "a generator of your own", "AldousBroder does the work")


def _no_maze(asked: str, made: object) -> NoReturn:
    """Fail, and say why None was returned."""
    exercise, why = BY_NAME["MyGenerator"], ""
    if made is None:
        slip = slips.find_missing_return(sys.modules[exercise.module], exercise)
        gives_none = "None is what a function gives that ends without return"
        why = f": {slip.sentence}.\n{slip.place}" if slip else f": {gives_none}."
    _fail(f"MyGenerator returned no maze for {asked}{why or '.'}", "a Maze", describe(made))


def try_it(rows: int, columns: int, seed: int) -> str:
    """Return a command that makes the same maze."""
    return f"Try it: maze generate mine.txt -r {rows} -c {columns} --algorithm mine --seed {seed}"


def check_perfect(rows: int, columns: int, *, seed: int = 1) -> Maze:
    """Check that a maze of yours is perfect, and return it."""
    maze = generate(rows, columns, seed=seed, tell=tell_flaw)
    check_dimension(maze, rows, columns)
    if not _faults(maze):
        return maze
    lost, circled = maze.flaws.lost, maze.flaws.circled
    wrong = f"{some(lost)} cannot be reached" if lost else f"two ways lead round through {some(circled)}"
    made = f"The maze that your generator made for {rows} x {columns} cells, seed {seed}"
    message = f"{made}, is not perfect: {wrong}."
    advice = try_it(rows, columns, seed)
    return complain(message, maze, EXPECTED, wrong, drawing=draw_marked(maze, lost, circled), advice=advice)


def made(case: Case) -> Maze:
    """Return the maze of a drawn dimension and seed, which is made once: other tests look at it as well."""
    rows, columns, seed = case.given
    if (rows, columns, seed) not in ASKED:
        ASKED[rows, columns, seed] = generate(rows, columns, seed=seed)
    maze: Maze = ASKED[rows, columns, seed]
    return maze


def look_at(check: str, judge: Callable[[Case], None], *, whole: bool = True) -> Looking:
    """Let a judge look at drawn dimensions; it counts for mazes that are perfect on the whole."""
    control = counts_only_on_the_whole if whole else None
    return Looking(judge, drawn("generator", check), control=control)


def has_its_dimension(case: Case) -> None:
    rows, columns, _ = case.given
    check_dimension(made(case), rows, columns)


def has_an_exit(case: Case) -> None:
    maze = made(case)
    if maze.exit is None:
        advice = try_it(*case.given)
        complain("The maze has no exit.", maze, "an entry S and an exit E", "S alone", advice=advice)


def is_perfect(case: Case) -> None:
    rows, columns, seed = case.given
    ASKED[rows, columns, seed] = check_perfect(rows, columns, seed=seed)


def some(cells: Collection[Vector]) -> str:
    """List the first of some cells, with their number."""
    first = " ".join(cell_text(cell) for cell in sorted(cells)[:4])
    return first + (f" and {len(cells) - 4} more" if len(cells) > 4 else "")


def walls(text: str) -> str:
    """Return a maze without entry and exit."""
    return text.replace("S", " ").replace("E", " ")


def check_dimension(maze: Maze, rows: int, columns: int) -> None:
    wanted = Dimension(rows, columns)
    if maze.dimension != wanted:
        _fail(f"MyGenerator made another size than {wanted}.", f"{wanted} cells", f"{maze.dimension} cells")


def counts_only_on_the_whole(*, by_lot: bool = False) -> None:
    """Check that your mazes are perfect but for a few passages, or as long as they are not large; with
    ``by_lot``, that other seeds make other mazes as well: what is easy without that earns nothing."""
    mazes = _large_mazes()
    faults = sum(map(_faults, mazes))
    if faults > MOST_FAULTS * sum(maze.dimension.position_count for maze in mazes) and not _all_small_are():
        what = "This counts only for mazes that are perfect on the whole"
        _fail(f"{what}: of 18 x 18 cells, yours are not.", EXPECTED, f"{faults} passages missing or too many")
    if by_lot and len({str(maze) for maze in mazes}) < len(mazes):
        _fail("This counts only where other seeds make other mazes.", "four mazes", "some are the same")


@cache
def _large_mazes() -> list[Maze]:
    return [generate(*WHOLE, seed=seed) for seed in range(1, 5)]


@cache
def _all_small_are() -> bool:
    return all(not _faults(generate(*ROOMY, seed=seed)) for seed in range(1, 11))


def _faults(maze: Maze) -> int:
    """Count the passages that are missing to reach every cell, and those that are too many; 0 of a maze that
    was not begun by the factory, of which only the grade tells."""
    return maze.flaws.count if isinstance(maze, NotedMaze) else 0


def _fail(what: str, expected: str, actual: str) -> NoReturn:
    fail(f"{what}\n\nexpected: {expected}\nactual:   {actual}")


PERFECT = stands_for("perfect")


class TestMyGenerator:
    @PERFECT
    @for_each("seed", range(1, 6))
    def test_perfect(self, seed: int) -> None:
        """makes perfect mazes of 5 x 6 cells"""
        check_perfect(5, 6, seed=seed)

    @PERFECT
    def test_perfect_square(self) -> None:
        """makes a perfect maze of 8 x 8 cells"""
        check_perfect(8, 8)

    @PERFECT
    def test_smallest(self) -> None:
        """makes mazes of two cells"""
        check_perfect(1, 2)
        check_perfect(2, 1)

    @PERFECT
    def test_two_by_two(self) -> None:
        """makes perfect mazes of 2 x 2 cells"""
        for seed in range(20):
            check_perfect(2, 2, seed=seed)

    @PERFECT
    def test_one_row(self) -> None:
        """makes a maze of one row"""
        check_perfect(1, 20)

    @PERFECT
    def test_one_column(self) -> None:
        """makes a maze of one column"""
        check_perfect(20, 1)

    @PERFECT
    def test_flat(self) -> None:
        """makes a maze much wider than high"""
        check_perfect(2, 30)

    @PERFECT
    @of_drawn_cases
    def test_drawn(self) -> Looking:
        """makes perfect mazes of drawn dimensions"""
        return look_at("perfect", is_perfect, whole=False)

    @stands_for("dimension")
    @of_drawn_cases
    def test_dimension(self) -> Looking:
        """makes mazes of the dimension that is asked for"""
        return look_at("dimension", has_its_dimension)

    @stands_for("entry-and-exit")
    @of_drawn_cases
    def test_entry_and_exit(self) -> Looking:
        """makes mazes with an entry and an exit"""
        return look_at("entry-and-exit", has_an_exit)

    @stands_for("same-seed")
    def test_same_seed(self) -> None:
        """makes the same maze from the same seed"""
        random.seed(1)
        first = generate(6, 6, seed=7)
        random.seed(2)
        second = generate(6, 6, seed=7, tell=tell_luck)
        if first != second:
            message = "The same seed gave two different mazes: does all the luck come from self.rng?"
            student.forget(FOLDER)
            random.seed(3)
            if generate(6, 6, seed=7, tell=tell_luck) == first:
                message = "MyGenerator makes another maze after it has made one: what does it remember?"
            complain(message, first, "the maze above both times", f"the second time\n{second}")
        for case in drawn("generator", "same-seed"):
            rows, columns, seed = case.given
            if case.size <= SMALL and made(case) != generate(rows, columns, seed=seed):
                message = f"The same seed, {seed}, gave two different mazes of {rows} x {columns} cells."
                complain(message, made(case), "the same maze both times", "another one")
        counts_only_on_the_whole(by_lot=True)

    @stands_for("other-seed")
    def test_other_seeds(self) -> None:
        """makes other mazes from other seeds"""
        texts = {walls(generate(*ROOMY, seed=seed, tell=tell_luck).to_text()) for seed in range(10)}
        if len(texts) < 9:
            _fail("ten seeds, 8 x 8 cells", "ten mazes, one pair the same at most", f"{len(texts)} different")
        by_size: dict[tuple[int, int], list[Maze]] = {}
        for case in (each for each in drawn("generator", "other-seed") if each.size <= SMALL):
            by_size.setdefault(tuple(case.given[:2]), []).append(made(case))
        for (rows, columns), mazes in by_size.items():
            if len({walls(maze.to_text()) for maze in mazes}) == 1:
                asked = f"{len(mazes)} seeds, {rows} x {columns} cells"
                _fail(asked, "not the same maze from all of them", "one maze")
        counts_only_on_the_whole()

    @stands_for("again")
    def test_again(self) -> None:
        """makes another maze when one generator is asked again"""
        pairs = [generate_some(*ROOMY, seed=seed, count=2) for seed in range(10)]
        spoilt = [second for _, second in pairs if _faults(second)]
        if 2 * len(spoilt) >= len(pairs) and not any(_faults(first) for first, _ in pairs):
            message = "The second maze of one generator is not perfect: what does it remember?"
            complain(message, spoilt[0], EXPECTED, f"{_faults(spoilt[0])} passages missing or too many")
        same = sum(first == second for first, second in pairs)
        if 2 * same >= len(pairs):
            _fail("ten generators, two mazes from each", "two different mazes", f"{same} made the same twice")
        counts_only_on_the_whole()

    @stands_for("repeat")
    def test_repeat(self) -> None:
        """makes perfect mazes whatever it made before"""
        for rows, columns in ((3, 3), (6, 5), (2, 7), (3, 3)):
            maze, wanted = generate(rows, columns), Dimension(rows, columns)
            if _faults(maze) or maze.dimension != wanted:
                student.forget(FOLDER)
                alone = generate(rows, columns)
                if not _faults(alone) and alone.dimension == wanted:
                    message = "MyGenerator makes another maze after it has made one: what does it remember?"
                    complain(message, maze, EXPECTED, "right on its own, and wrong after another")
        counts_only_on_the_whole()

    def test_own_work(self) -> None:
        """does not hand its work on"""
        generate(4, 4)  # whether it is a copy only the grade tells, so that this stands for no points

    @stands_for("large")
    def test_large(self) -> None:
        """makes a maze of 60 x 60 cells"""
        check_perfect(60, 60)
