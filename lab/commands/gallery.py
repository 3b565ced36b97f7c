"""``maze gallery``: show the given generator and the student's own side by side."""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from typing import Any, Final

from lab.commands import output_files, student
from lab.commands.command_line import count
from lab.commands.errors import CommandError, cannot_write
from lab.dimension import Dimension
from lab.factory import Factory
from lab.generator import Generator
from lab.generators import AldousBroder
from lab.maze import Maze
from lab.render.gallery import write_gallery
from lab.way import describe

HELP: Final = "compare mazes of your generator with AldousBroder's"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a gallery."""
    parser.add_argument("file", metavar="FILE", help="what to write: .html for a page, .svg for a picture")
    parser.add_argument("-r", "--rows", type=count, default=12, help="rows of each maze (default: 12)")
    parser.add_argument("-c", "--columns", type=count, default=12, help="columns of each maze (default: 12)")
    parser.add_argument(
        "--seed", type=int, default=1, help="the same seed gives the same gallery (default: 1)"
    )
    parser.add_argument(
        "--samples", type=count, default=50, help="how many mazes of each are measured (default: 50)"
    )


def gallery(given: argparse.Namespace) -> None:
    """Draw mazes of AldousBroder and of the student's own generator, with their figures."""
    output_files.check_suffix(given.file, ".html", ".svg")
    if given.rows * given.columns < 2:
        raise CommandError("a maze needs two cells or more, one for the entry and one for the exit")
    folder = student.folder_of(given.submission)
    exercise = student.exercise_of("maker")
    mine = student.load(folder, exercise)

    def make_mine(rng: Random) -> Generator:
        return _Mine(rng, folder, mine, exercise.name)

    generators = {"AldousBroder": AldousBroder, exercise.name: make_mine}
    try:
        size = Dimension(given.rows, given.columns)
        write_gallery(given.file, generators, size, seed=given.seed, samples=given.samples)
    except OSError as error:
        raise cannot_write(given.file, error) from None
    except ValueError as error:
        raise CommandError(str(error)) from None
    print(f"Gallery written to {given.file}")


class _Mine(Generator):
    """Calls the student's generator; the outcome is always a maze or a CommandError."""

    def __init__(self, rng: Random, folder: Path, generator_class: Any, name: str) -> None:
        super().__init__(rng)
        self._folder, self._name = folder, name
        self._generator = student.call(folder, lambda: generator_class(rng), what=name)

    def generate(self, factory: Factory, dimension: Dimension) -> Maze:
        made: object = student.call(
            self._folder, lambda: self._generator.generate(factory, dimension), what=self._name
        )
        if not isinstance(made, Maze):
            raise CommandError(f"{self._name} is wrong: it returned {describe(made)}; expected a Maze")
        if made.dimension != dimension:
            raise CommandError(f"{self._name} is wrong: it made {made.dimension} cells; expected {dimension}")
        return made
