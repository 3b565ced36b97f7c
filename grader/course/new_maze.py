"""Make a new test maze with a generator, and add cycles and unreachable parts."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from grader.course.yaml.source import MAX_BYTES
from grader.errors import InputError
from grader.exercises.kit.cases.edits import with_cycle_in_reach, with_walls
from grader.exercises.kit.facts import facts_of
from grader.text import in_bytes
from lab import Dimension, Factory, Generator, Maze

_INDENT = 2
"""The indentation of the drawing in its file."""
WALLS_TRIED = 20
"""How many walls are tried to cut off a part of suitable size."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The kind of maze to make."""

    dimension: Dimension
    cycles: int = 0
    """The number of extra passages between reachable cells."""
    islands: int = 0
    """The number of unreachable parts."""
    has_exit: bool = True
    seed: int = 1


def new_maze(generator: Callable[[Random], Generator], wanted: Wanted) -> Maze:
    """Make the maze. Raises InputError if the cycles or islands do not fit."""
    rng = Random(wanted.seed)
    maze = generator(rng).generate(Factory(), wanted.dimension)
    passages = wanted.dimension.position_count - 1
    if wanted.islands > passages:
        raise InputError(
            f"--islands: {wanted.dimension} cells have room for {passages}, got {wanted.islands}"
        )
    for _ in range(wanted.islands):
        maze = _with_island(maze, rng)
    for made in range(wanted.cycles):
        more = with_cycle_in_reach(maze, rng)
        if more is None:
            raise InputError(f"--cycles: this maze has room for {made}, got {wanted.cycles}: make it larger")
        maze = more
    return maze if wanted.has_exit else Maze.from_text(maze.to_text().replace("E", " "))


def check_size(dimension: Dimension, head: str) -> None:
    """Raise InputError, with the largest size of this shape that fits, if the maze is too large for a file.

    ``head`` is the text of the file without the drawing.
    """
    most = MAX_BYTES - len(head.encode())
    if _drawing_bytes(dimension) <= most:
        return
    sides = range(1, max(dimension.row_count, dimension.column_count))
    fits = bisect_left(sides, True, key=lambda side: _drawing_bytes(_scaled(dimension, side)) > most)
    raise InputError(
        f"--rows, --columns: a test maze is a file of {in_bytes(MAX_BYTES)} at the most, too small for "
        f"{dimension}; the largest of this shape is {_scaled(dimension, max(fits, 1))}"
    )


def _drawing_bytes(dimension: Dimension) -> int:
    lines, characters = 2 * dimension.row_count + 1, 2 * dimension.column_count + 1
    return lines * (_INDENT + characters + len("\n"))


def _scaled(dimension: Dimension, longer: int) -> Dimension:
    """Scale a dimension so that its longer side has this length, roughly keeping its shape."""
    rows, columns = dimension.row_count, dimension.column_count
    return Dimension(*(max(1, side * longer // max(rows, columns)) for side in (rows, columns)))


def _with_island(maze: Maze, rng: Random) -> Maze:
    """Add the wall, of those tried, that cuts off a part and leaves closest to 3/4 of the cells reachable."""
    tried = filter(None, (with_walls(maze, rng, 1) for _ in range(WALLS_TRIED)))
    return min(tried, key=lambda cut: abs(len(facts_of(cut.to_text()).distances) - _goal(maze)))


def _goal(maze: Maze) -> float:
    return 0.75 * len(facts_of(maze.to_text()).distances)


def as_yaml(maze: Maze, name: str, catches: str | Sequence[str], visibility: str) -> str:
    """Return the text of a maze file."""
    drawing = "".join(f"{' ' * _INDENT}{line}\n" for line in maze.to_text().split("\n"))
    return head_as_yaml(name, catches, visibility) + drawing


def head_as_yaml(name: str, catches: str | Sequence[str], visibility: str) -> str:
    """Return the text of a maze file up to the drawing."""
    head = [("name", _text(name)), ("catches", _text(catches)), ("visibility", visibility)]
    return "".join(f"{key}: {value}\n" for key, value in head) + "maze: |\n"


def _text(text: str | Sequence[str]) -> str:
    """Return a text or list of texts as YAML, using its subset JSON."""
    return json.dumps(text, ensure_ascii=False)
