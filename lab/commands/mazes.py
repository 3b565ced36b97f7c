"""``maze solve``, ``maze export`` and ``maze generate``."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, count, repeat
from math import log
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

from lab.commands import output_files, screen, student
from lab.commands.building import NotedMaze, NotingFactory
from lab.commands.errors import CommandError, os_reason
from lab.costs import costs_on, draw_costs, has_costs, open_more, sum_text
from lab.dimension import Dimension
from lab.factory import Factory
from lab.generators import AldousBroder
from lab.maze import Maze, Position
from lab.maze_format import MazeFormatError
from lab.render.graph import to_graph_svg, to_two_graphs_svg
from lab.render.svg import to_svg
from lab.render.text import draw
from lab.vector import Vector
from lab.watch import STREAMS, Watch, WatchedMaze, most_questions, watched
from lab.way import cell_text, describe, flaw, is_list, moves_text

PICTURES: Final[Mapping[str, Callable[..., str]]] = {
    "maze": to_svg,
    "graph": to_graph_svg,
    "two-graphs": to_two_graphs_svg,
}
"""The forms in which a maze can be drawn."""
_MOST_MILLION_STEPS = 30
"""About half a minute of a random walk."""
_SEEDS = 1_000_000
_OFTEN = 100
"""No recursion that ends visits a cell this often at its deepest."""


def solve(file: str, *, algorithm: str, submission: str | None, visited: bool) -> None:
    """Print the student's solution of the maze, and the visited cells if asked for."""
    maze = load(file)
    solution, watch = solution_by(maze, algorithm, submission)
    print(_solution_text(maze, solution))
    if visited:
        print(_visited_text(watch))
    if screen.is_terminal():
        print(draw(maze, solution=solution, colour=screen.has_colour()))


def _solution_text(maze: Maze, moves: list[Vector] | None) -> str:
    """Say the way and, in a maze with costs, what it costs."""
    if moves is None:
        return "Solution: none"
    told = f"Solution: {moves_text(moves)}"
    return f"{told}\nCost: {sum_text(costs_on(maze, moves))}" if has_costs(maze) else told


def export(given: argparse.Namespace) -> None:
    """Write a picture of the maze, or of its graph, with the student's solution if asked for."""
    output_files.check_suffix(given.svg, ".svg")
    maze = load(given.file)
    moves = None
    if given.solution:
        moves, _ = solution_by(maze, given.algorithm, given.submission)
        print(_solution_text(maze, moves))
    drawing = PICTURES[given.picture](maze, solution=moves, title=f"Maze {Path(given.file).stem}")
    output_files.write_output(given.svg, drawing)
    note = " (there is no solution to show)" if given.solution and moves is None else ""
    print(f"Picture written to {given.svg}{note}")


def generate(given: argparse.Namespace) -> None:
    """Write a new maze, made by AldousBroder or by the student's own generator, and print it.

    Passages that close cycles, and costs, are added if they are asked for.
    """
    dimension, seed = Dimension(given.rows, given.columns), given.seed
    if dimension.position_count < 2:
        raise CommandError("a maze needs two cells or more, one for the entry and one for the exit")
    if seed is None:
        seed = SystemRandom().randrange(_SEEDS)
    if given.algorithm == "ab":
        steps = _expected_steps(dimension) / 1e6
        if steps > _MOST_MILLION_STEPS:
            raise CommandError(
                f"AldousBroder would walk some {steps:.0f} million steps for {dimension}, for hours: "
                "take a smaller maze, or one that is less long for its width"
            )
        maze = AldousBroder(Random(seed)).generate(Factory(), dimension)
    else:
        maze = _generate_mine(dimension, seed, given.submission)
    flaws, rng = _flaws(maze), Random(f"cycles and costs {seed}")
    if (opened := open_more(maze, given.cycles, rng)) < given.cycles:
        raise CommandError(f"--cycles: this maze has room for {opened}, got {given.cycles}: make it larger")
    if given.costs is not None:
        draw_costs(maze, given.costs, rng)
    output_files.write_output(given.file, maze.to_text() + "\n")
    print(f"{dimension} grid written to {given.file} (seed {seed})")
    print(draw(maze, colour=screen.has_colour()))
    for wrong in flaws:
        print(f"maze: warning: the maze is not as asked for: {wrong}", file=sys.stderr)


def _expected_steps(dimension: Dimension) -> float:
    """Return about how many steps a random walk takes to see all n cells: n (log n)^2 in a room, the square
    of its length in a corridor."""
    count = dimension.position_count
    return count * log(count) ** 2 + max(dimension.row_count, dimension.column_count) ** 2


def load(file: str) -> Maze:
    """Read the maze and say so. Raises CommandError if there is no such file, or no valid maze in it."""
    try:
        maze = Maze.from_file(file)
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {os_reason(error)}") from None
    except MazeFormatError as error:
        raise CommandError(f"{file} holds no maze: {str(error).splitlines()[0]}") from None
    print(f"{maze.dimension} grid loaded from {file}")
    return maze


def solution_by(maze: Maze, algorithm: str, submission: str | None) -> tuple[list[Vector] | None, Watch]:
    """Return the way that the student's solver found, and what was observed.

    Raises CommandError if it is no way.
    """
    folder = student.folder_of(submission)
    search_class = student.load(folder, student.exercise_of("script"))
    exercise = student.exercise_named(algorithm)
    solver_class = student.load(folder, exercise)
    watch = Watch(make_bound(maze.dimension.position_count))

    def run() -> object:
        search = watched(search_class, watch)()
        with ending_recursion(watch):
            return solver_class().solve(WatchedMaze.of(maze, watch), search)

    try:
        returned = student.call(folder, run, what=algorithm)
    except EndlessError:
        raise CommandError(f"{algorithm} {endless_text(maze, watch)}") from None
    if (wrong := flaw(maze, returned, any_walk=exercise.kind == "walker")) is not None:
        raise CommandError(f"{algorithm} is wrong: {wrong}")
    return ([Vector(*move) for move in returned] if is_list(returned) else None), watch


class EndlessError(CommandError):
    """A solver exceeded the questions of any that ends."""


@contextmanager
def ending_recursion(watch: Watch) -> Iterator[None]:
    """Turn a RecursionError into EndlessError if the recursion kept coming to the same cell."""
    try:
        yield
    except RecursionError:
        if max(_visits(watch).values(), default=0) < _OFTEN:
            raise
        raise EndlessError("went on for ever") from None


def _visits(watch: Watch) -> Counter[Position]:
    return Counter(watch.streams()[0] if watch.streams() else ())


def make_bound(cells: int) -> Callable[[], object]:
    """Return a function for a watch to call at each question, which stops the solver beyond the bound."""

    def cut_off(_: int) -> None:
        raise EndlessError("went on for ever")

    return chain(repeat(None, most_questions(cells)), map(cut_off, count())).__next__


_AGAIN = {
    "taken": "{} was visited",
    "asked": "the moves of {} were asked for",
    "probed": "the sides of {} were asked about",
    "tested": "{} was compared with the exit",
}


def endless_text(maze: Maze, watch: Watch) -> str:
    """Say how often code took the same cell, or asked about it, before it was stopped; or that it left."""
    visits = _visits(watch)
    text = f"went on for ever, and was stopped: the maze has {maze.dimension.position_count} cells"
    if not visits:
        return text
    positions = (cell for stream in watch.streams() for cell in stream if len(cell) == len(maze.entry))
    outside = next((cell for cell in positions if not maze.dimension.includes(cell)), None)
    if outside is not None:
        return f"{text}, and a cell came up outside of it: {cell_text(outside)}"
    (cell, times), *_ = visits.most_common(1)
    how = next(name for name in STREAMS if watch.seen(name))
    return f"{text}, and {_AGAIN[how].format(cell_text(cell))} {times} times"


def _visited_text(watch: Watch) -> str:
    streams: Sequence[Sequence[tuple[int, int]]] = watch.streams()
    if not streams:
        return "Visited: unknown (the solver asked neither its search nor the maze)"
    told = "Visited" if watch.seen("taken") else "Asked about"
    return f"{told}: {' '.join(cell_text(position) for position in dict.fromkeys(streams[0]))}"


def _generate_mine(dimension: Dimension, seed: int, submission: str | None) -> Maze:
    exercise = student.exercise_of("maker")
    folder = student.folder_of(submission)
    generator_class = student.load(folder, exercise)

    def run() -> object:
        return generator_class(Random(seed)).generate(NotingFactory(Watch()), dimension)

    made = student.call(folder, run, what=exercise.name)
    if not isinstance(made, Maze):
        raise CommandError(f"{exercise.name} is wrong: it returned {describe(made)}; expected a Maze")
    if made.dimension != dimension:
        raise CommandError(f"{exercise.name} is wrong: it made {made.dimension} cells; expected {dimension}")
    return made


def _flaws(maze: Maze) -> list[str]:
    """Say what a generated maze lacks, as far as its walls were seen opening."""
    flaws = []
    if isinstance(maze, NotedMaze):
        found, cells = maze.flaws, maze.dimension.position_count
        if lost := len(found.lost):
            flaws.append(
                f"it is not perfect, as {lost} of its {cells} cells cannot be reached from the entry"
            )
        if found.circled:
            flaws.append("it is not perfect, as more than one way leads to some cells")
    if maze.exit is None:
        flaws.append("it has no exit")
    return flaws
