"""Solvers that see the maze's entry or exit somewhere else."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from itertools import product

from grader.exercises.kit.cases.edits import marked
from grader.exercises.kit.misconception import Explains
from grader.exercises.kit.solvers.exploring import Style, maze_of, right_styles
from grader.exercises.kit.solvers.runs import Returns, Run, by_runs, explains_run, returns_the_way
from lab import Maze, Vector

Marks = Callable[[Maze], "tuple[Vector, Vector | None] | None"]
"""Return where a solver sees entry and exit; None if it sees at once that there is no way."""


def by_marks(*marks: Marks, answers: tuple[Returns, ...] = (returns_the_way,)) -> Explains:
    """Return a model of a solver that is right except for where it sees entry and exit."""
    return by_runs(
        lambda exercise: [
            partial(_explains, *variant) for variant in product(right_styles(exercise), marks, answers)
        ]
    )


def _explains(style: Style, seen: Marks, returns: Returns, run: Run) -> bool:
    marks = seen(run.maze)
    if marks is None:
        return run.kind == "none" and not run.changed
    if marks[0] == marks[1]:
        return run.moves == () and not run.changed
    return explains_run(style, returns, run, taken_for=_displaced(run.text, *marks))


@lru_cache(maxsize=4_000)
def _displaced(text: str, entry: Vector, exit_: Vector | None) -> str:
    return marked(maze_of(text), entry, exit_).to_text()
