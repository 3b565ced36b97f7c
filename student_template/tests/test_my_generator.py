"""The public tests of generators/my_generator.py."""

from __future__ import annotations

import random
from random import Random

import pytest
from public_checks import complain, your
from public_trees import opening_count, spanning_trees

from lab import Dimension, Factory, Maze
from lab.generators import AldousBroder
from lab.way import describe


def generate(rows: int, columns: int, *, seed: int = 1) -> Maze:
    """A maze of your generator, of the right type and dimension."""
    dimension = Dimension(rows, columns)
    maze = your("MyGenerator")(Random(seed)).generate(Factory(), dimension)
    if not isinstance(maze, Maze):
        _fail(f"generate({dimension}), seed {seed}", "a Maze", describe(maze))
    if maze.dimension != dimension:
        _fail(f"generate({dimension}), seed {seed}", f"a maze of {dimension}", f"one of {maze.dimension}")
    return maze


def check_perfect(rows: int, columns: int, *, seed: int = 1) -> None:
    maze = generate(rows, columns, seed=seed)
    trees = spanning_trees(maze)
    if trees == 1:
        return
    wrong = "some cells have two ways between them" if trees else "some cell cannot be reached"
    message = f"The maze that your generator made for {rows} x {columns} cells, seed {seed}, is not perfect."
    complain(message, maze, "one way between any two cells", wrong)


def _fail(what: str, expected: str, actual: str) -> None:
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
        maze = generate(60, 60)
        if (count := opening_count(maze)) != 3599:
            _fail(
                "60 x 60 cells, seed 1", "3599 openings, as every perfect maze of this size has", str(count)
            )

    def test_entry_and_exit(self) -> None:
        """makes mazes with an entry and an exit"""
        maze = generate(4, 4)
        if maze.exit is None or maze.exit == maze.entry:
            complain("The maze has no exit.", maze, "an entry S and an exit E", "S alone")

    def test_same_seed(self) -> None:
        """makes the same maze from the same seed"""
        random.seed(1)
        first = generate(6, 6, seed=7)
        random.seed(2)
        second = generate(6, 6, seed=7)
        if first != second:
            complain(
                "The same seed gave two different mazes: does all the luck come from self.rng?",
                first,
                "the maze above both times",
                f"the second time\n{second}",
            )

    def test_other_seeds(self) -> None:
        """makes other mazes from other seeds"""
        texts = {generate(6, 6, seed=seed).to_text() for seed in range(10)}
        if len(texts) < 5:
            _fail("ten seeds, 6 x 6 cells", "ten mazes, most of them different", f"{len(texts)} different")

    def test_own_work(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """does the work itself"""

        def refuse(*_arguments: object) -> None:
            _fail("MyGenerator", "a generator of your own", "AldousBroder is asked to do the work")

        monkeypatch.setattr(AldousBroder, "generate", refuse)
        generate(4, 4)
