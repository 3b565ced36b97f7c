"""``maze film``: film a generator, a solver or the left-hand rule at work."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Final

from lab.commands import mazes, output_files, student
from lab.commands.command_line import count
from lab.commands.errors import CommandError
from lab.dimension import Dimension
from lab.exercises import SOLVERS, solver_in_any_case
from lab.generators import AldousBroder
from lab.maze import Maze
from lab.optional_packages import MissingPackage
from lab.render.animation import to_animated_svg
from lab.render.film import Film, film_generator, film_left_hand, film_solver
from lab.render.gif import write_gif
from lab.render.player import to_html

_RULES: Final = ("left-hand",) if find_spec("lab.walker") else ()
"""The rules that are filmed at work; the students' kit is without them."""
MOST_CELLS = 50 * 50
"""The page of a film of many more cells does not load in a minute."""
_WRITERS: dict[str, Callable[[Film], str]] = {".svg": to_animated_svg, ".html": to_html}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a film."""
    parser.add_argument("film", metavar="FILM", help="what to write: .html (with a slider), .svg or .gif")
    parser.add_argument(
        "--of", choices=("ab", "mine", *(solver.name for solver in SOLVERS), *_RULES), default="mine",
        type=solver_in_any_case,
        help="ab, mine: a generator; or a solver of yours; or a rule (default: mine)",
    )  # fmt: skip
    parser.add_argument("--maze", metavar="FILE", help="the maze for a solver or a rule")
    parser.add_argument("-r", "--rows", type=count, default=8, help="rows to generate (default: 8)")
    parser.add_argument("-c", "--columns", type=count, default=12, help="columns to generate (default: 12)")
    parser.add_argument("--seed", type=int, default=1, help="of the generator (default: 1)")


def film(options: argparse.Namespace) -> None:
    """Write the film."""
    output_files.check_suffix(options.film, ".html", ".svg", ".gif")
    suffix = Path(options.film).suffix.lower()
    if options.of in ("ab", "mine"):
        made = _of_generator(options)
    elif options.maze is None:
        raise CommandError(f"a film of {options.of} needs a maze: name one with --maze FILE")
    elif options.of == "left-hand":
        made = _of_left_hand(options.maze)
    else:
        made = _of_solver(options)
    try:
        if suffix == ".gif":
            with output_files.open_output(options.film) as partial:
                write_gif(made, partial)
        else:
            output_files.write_output(options.film, _WRITERS[suffix](made))
    except MissingPackage as error:
        raise CommandError(str(error)) from None
    number = len(made.moments)
    print(f"Film of {number} {'moment' if number == 1 else 'moments'} written to {options.film}")


def _maze(file: str) -> Maze:
    maze = mazes.load(file)
    _check_size(maze.dimension)
    return maze


def _check_size(dimension: Dimension) -> None:
    """Raise CommandError for a maze of which no browser shows the film."""
    if dimension.position_count > MOST_CELLS:
        count = dimension.position_count
        raise CommandError(
            f"a film shows at most {MOST_CELLS} cells, this maze has {count}: take a smaller one"
        )


def _of_generator(options: argparse.Namespace) -> Film:
    dimension, rng = Dimension(options.rows, options.columns), Random(options.seed)
    _check_size(dimension)
    if dimension.position_count < 2:
        raise CommandError("a maze needs two cells or more, one for the entry and one for the exit")
    if options.of == "ab":
        return film_generator(AldousBroder(rng), dimension, title="AldousBroder at work")
    folder = student.folder_of(options.submission)
    exercise = student.exercise_of("maker")
    mine = student.load(folder, exercise)

    def run() -> Film:
        return film_generator(mine(rng), dimension, title=f"{exercise.name} at work")

    return student.call(folder, run, what=exercise.name)


def _of_solver(options: argparse.Namespace) -> Film:
    maze = _maze(options.maze)
    folder = student.folder_of(options.submission)
    search = student.load(folder, student.exercise_of("script"))
    solver = student.load(folder, student.exercise_named(options.of))

    def run() -> Film:
        return film_solver(maze, solver, search, title=f"{options.of} at work")

    made = student.call(folder, run, what=options.of)
    if all(moment.ink != "way" for moment in made.moments):
        print(f"{options.of} returned no way: the film shows its visits only")
    return made


def _of_left_hand(file: str) -> Film:
    from lab.walker import left_hand

    maze = _maze(file)
    if not left_hand(maze).arrived:
        print("The left-hand rule does not come to an exit here: it ends where it began to repeat itself")
    return film_left_hand(maze, title="The left-hand rule")
