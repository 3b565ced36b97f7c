"""The plan of a course: its rubric, with every case drawn and answered by the reference once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader import checks
from grader.cases.library import CaseBook
from grader.checks.base import Case, Exercise
from grader.checks.generator import gallery
from grader.course.exercises import TARGETS, TITLES
from grader.course.judged import own_checks, with_statements
from grader.course.rubric import Rubric, RubricCheck, load_rubric
from grader.errors import RubricError
from grader.model import Limits
from grader.oracle.facts import facts_of
from lab import Maze, Vector


@dataclass(frozen=True)
class Plan:
    """What every submission is asked; made once, used for all of them."""

    rubric: Rubric
    exercises: tuple[Exercise, ...]
    points: Mapping[str, RubricCheck]
    """By the id of the check."""
    gallery: tuple[Case, ...]
    """Calls of the generator whose mazes are shown."""

    @property
    def limits(self) -> Limits:
        """What a submission may use."""
        return self.rubric.limits


def load_plan(path: Path | None = None) -> Plan:
    """Read a rubric (the shipped one where none is given) and draw its cases.

    Raises RubricError or MazeFileError with file, line and column.
    """
    return make_plan(load_rubric(path, checks=checks.TITLES, agrees=disagreement))


def make_plan(rubric: Rubric) -> Plan:
    """Draw the cases of a rubric."""
    book = CaseBook(rubric.seed, rubric.examples, with_statements(rubric.mazes, rubric.exercises))
    exercises = []
    for planned in rubric.exercises:
        own = own_checks(planned.checks, planned.id, rubric.mazes)
        made = checks.make(planned.id, [check.id for check in planned.checks], book, own=own)
        for check in made:
            if not check.cases:
                raise RubricError(
                    f"{check.id}: expected at least one hidden maze that this exercise uses, found none: "
                    "add a maze or leave the check out",
                    path=rubric.path,
                )
        title = planned.title or TITLES[planned.id]
        exercises.append(Exercise(planned.id, title, TARGETS[planned.id], made))
    points = {check.id: check for exercise in rubric.exercises for check in exercise.checks}
    return Plan(rubric, tuple(exercises), points, gallery(book))


def disagreement(exercise: str, maze: Maze, order: tuple[Vector, ...]) -> str | None:
    """Why a visit order in a maze file is not the lab's; None where it is."""
    orders = facts_of(maze.to_text()).orders[exercise]
    if order in orders:
        return None
    right = orders[0]
    whole = ", ".join(f"[{cell.row}, {cell.column}]" for cell in right)
    for index, (wanted, cell) in enumerate(zip(right, order, strict=False)):
        if wanted != cell:
            found = f"[{cell.row}, {cell.column}]"
            wanted_there = f"[{wanted.row}, {wanted.column}]"
            return f"expected {wanted_there} as cell {index + 1}, got {found}; the whole order is [{whole}]"
    return f"expected {len(right)} cells, got {len(order)}; the whole order is [{whole}]"
