"""The public tests of generators/my_generator.py."""

from __future__ import annotations

import random
import sys
from collections.abc import Collection
from functools import partial
from random import Random
from traceback import extract_stack
from typing import Any, NoReturn

import pytest
from conftest import FOLDER, at_work
from public_checks import complain, ends, your

from lab import Dimension, Factory, Maze, Vector
from lab.commands import slips, student
from lab.commands.compare import cells_in_cycles, draw_marked, unreachable_cells
from lab.commands.cycle_causes import cause_of_cycle
from lab.commands.mazes import make_bound
from lab.exercises import BY_NAME
from lab.generators import AldousBroder
from lab.watch import Watch, WatchedMaze
from lab.way import cell_text, describe

EXPECTED = "one way between any two cells"


class Watched(Factory):
    """Makes mazes that count requests, so that a generator that never ends is stopped."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    def fully_connected(self, dimension: Dimension) -> Maze:
        return WatchedMaze.of(super().fully_connected(dimension), self._watch)

    def fully_disconnected(self, dimension: Dimension) -> Maze:
        return WatchedMaze.of(super().fully_disconnected(dimension), self._watch)


def generate(rows: int, columns: int, *, seed: int = 1) -> Maze:
    """Return a maze of your generator, after a check of its type and dimension."""
    dimension = Dimension(rows, columns)
    watch = Watch(make_bound(dimension.position_count))
    generator, factory = your("MyGenerator")(Random(seed)), Watched(watch)
    asked = f"{rows} x {columns} cells, seed {seed}"
    at_work(f"It was to make {asked}.\n{try_it(rows, columns, seed)}")
    empty = Factory().fully_connected(dimension)
    name = f"MyGenerator({asked})"
    maze = ends(
        name, lambda: generator.generate(factory, dimension), empty, watch, advice=try_it(rows, columns, seed)
    )
    if not isinstance(maze, Maze):
        _no_maze(asked, maze)
    if maze.dimension != dimension:
        _fail(f"MyGenerator made another size than {asked}.", f"{dimension} cells", f"{maze.dimension} cells")
    return Maze.from_text(maze.to_text())


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


def check_perfect(rows: int, columns: int, *, seed: int = 1) -> None:
    maze = generate(rows, columns, seed=seed)
    lost, circled = unreachable_cells(maze), cells_in_cycles(maze)
    if not lost and not circled:
        return
    wrong = f"{some(lost)} cannot be reached" if lost else f"two ways lead round through {some(circled)}"
    made = f"The maze that your generator made for {rows} x {columns} cells, seed {seed}"
    why = "" if lost else cause_of_cycle(FOLDER, partial(_make, rows, columns, seed), maze)
    message = f"{made}, is not perfect: {wrong}. {why}".rstrip()
    advice = try_it(rows, columns, seed)
    complain(message, maze, EXPECTED, wrong, drawing=draw_marked(maze, lost, circled), advice=advice)


def _make(rows: int, columns: int, seed: int, factory: Factory) -> Any:
    return your("MyGenerator")(Random(seed)).generate(factory, Dimension(rows, columns))


def some(cells: Collection[Vector]) -> str:
    """List the first of some cells, with their number."""
    first = " ".join(cell_text(cell) for cell in sorted(cells)[:4])
    return first + (f" and {len(cells) - 4} more" if len(cells) > 4 else "")


def _fail(what: str, expected: str, actual: str) -> NoReturn:
    pytest.fail(f"{what}\n\nexpected: {expected}\nactual:   {actual}", pytrace=False)


class TestMyGenerator:
    @pytest.mark.parametrize("seed", range(1, 6))
    def test_perfect(self, seed: int) -> None:
        """makes perfect mazes of 5 x 6 cells"""
        check_perfect(5, 6, seed=seed)

    def test_perfect_square(self) -> None:
        """makes a perfect maze of 8 x 8 cells"""
        check_perfect(8, 8)

    def test_smallest(self) -> None:
        """makes mazes of two cells"""
        check_perfect(1, 2)
        check_perfect(2, 1)

    def test_two_by_two(self) -> None:
        """makes perfect mazes of 2 x 2 cells"""
        for seed in range(20):
            check_perfect(2, 2, seed=seed)

    def test_one_row(self) -> None:
        """makes a maze of one row"""
        check_perfect(1, 20)

    def test_one_column(self) -> None:
        """makes a maze of one column"""
        check_perfect(20, 1)

    def test_flat(self) -> None:
        """makes a maze much wider than high"""
        check_perfect(2, 30)

    def test_large(self) -> None:
        """makes a maze of 60 x 60 cells"""
        check_perfect(60, 60)

    def test_entry_and_exit(self) -> None:
        """makes mazes with an entry and an exit"""
        maze = generate(4, 4)
        if maze.exit is None or maze.exit == maze.entry:
            advice = try_it(4, 4, 1)
            complain("The maze has no exit.", maze, "an entry S and an exit E", "S alone", advice=advice)

    def test_same_seed(self) -> None:
        """makes the same maze from the same seed"""
        random.seed(1)
        first = generate(6, 6, seed=7)
        random.seed(2)
        second = generate(6, 6, seed=7)
        if first != second:
            message = "The same seed gave two different mazes: does all the luck come from self.rng?"
            student.forget(FOLDER)
            random.seed(3)
            if generate(6, 6, seed=7) == first:
                message = "MyGenerator makes another maze after it has made one: what does it remember?"
            complain(message, first, "the maze above both times", f"the second time\n{second}")

    def test_other_seeds(self) -> None:
        """makes other mazes from other seeds"""
        texts = {generate(6, 6, seed=seed).to_text() for seed in range(10)}
        if len(texts) < 5:
            _fail("ten seeds, 6 x 6 cells", "ten mazes, most of them different", f"{len(texts)} different")

    def test_own_work(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """does the work itself"""

        def refuse(*_arguments: object) -> None:
            message = "MyGenerator hands its work on to AldousBroder, which earns nothing"
            place = student.trace(FOLDER, extract_stack())
            place = f", here:\n{place}" if place else ": it has no generate of its own."
            _fail(f"{message}{place}", "a generator of your own", "AldousBroder does the work")

        your("MyGenerator")  # a file may try AldousBroder out while it is loaded
        monkeypatch.setattr(AldousBroder, "generate", refuse)
        generate(4, 4)
