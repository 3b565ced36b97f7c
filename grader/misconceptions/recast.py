"""Solvers that take a maze for another one: they start, or look for the exit, somewhere else."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from itertools import product

from grader.misconceptions.exploring import Style, right_styles
from grader.misconceptions.model import Explains
from grader.misconceptions.sights import Gives, Sight, by_runs, explains_run, gives_the_way, maze_of
from lab import Maze, Vector

Marks = Callable[[Maze], "tuple[Vector, Vector | None] | None"]
"""Where a solver sees entry and exit; None where it sees at once that there is no way."""


def by_marks(*marks: Marks, answers: tuple[Gives, ...] = (gives_the_way,)) -> Explains:
    """The model of a solver that is right but for where it sees entry and exit."""
    return by_runs(
        lambda exercise: [
            partial(_explains, *variant) for variant in product(right_styles(exercise), marks, answers)
        ]
    )


def _explains(style: Style, seen: Marks, gives: Gives, sight: Sight) -> bool:
    marks = seen(maze_of(sight.text))
    if marks is None:
        return sight.kind == "none" and not sight.changed
    if marks[0] == marks[1]:
        return sight.moves == () and not sight.changed
    return explains_run(style, sight, gives, taken_for=marked(sight.text, *marks))


@lru_cache(maxsize=4_000)
def marked(text: str, entry: Vector, exit_: Vector | None) -> str:
    """The same maze with entry and exit elsewhere."""
    lines = text.replace("S", " ").replace("E", " ").split("\n")
    for mark, cell in (("E", exit_), ("S", entry)):
        if cell is not None:
            line, column = 2 * cell.row - 1, 2 * cell.column - 1
            lines[line] = lines[line][:column] + mark + lines[line][column + 1 :]
    return "\n".join(lines)
