"""Find the smallest maze on which a wrong submission fails."""

from __future__ import annotations

from dataclasses import dataclass, replace

from grader.course.exercises import WITH_MAZES
from grader.course.plan import Plan
from grader.errors import InputError
from grader.exercises.kit.check import PlannedExercise
from grader.grading.engine import grade
from grader.model import Submission
from grader.results import as_data
from grader.sandbox.base import Backend
from lab import Maze


@dataclass(frozen=True, slots=True)
class FailingMaze:
    """A maze on which a check fails."""

    maze: Maze
    check: str
    message: str
    """The expected and the actual answer, in words."""


def smallest_maze(submission: Submission, plan: Plan, backend: Backend) -> FailingMaze | None:
    """Grade the exercises that use mazes; return the smallest maze on which one fails, or None.

    Checks with a ladder try all mazes of up to six cells; a larger maze that fails is reduced. Raises
    InputError if there is nothing to grade.
    """
    handed_in = [e.id for e in plan.exercises if e.id in WITH_MAZES and e.target.file in submission.files]
    if not handed_in:
        files = ", ".join(e.target.file for e in plan.exercises if e.id in WITH_MAZES)
        raise InputError(f"expected at least one of {files} in {submission.name}")
    exercises = [e for e in plan.exercises if e.id in handed_in or e.kind == "script"]  # a solver asks for it
    report = grade(submission, _all_shown(plan, exercises), backend)
    found = [
        FailingMaze(Maze.from_text(str(check["counterexample"]["maze"])), check["id"], check["message"])
        for exercise in as_data(report)["exercises"]
        for check in exercise["checks"]
        if check["counterexample"] and "maze" in check["counterexample"]
    ]
    return min(found, key=lambda each: each.maze.dimension.position_count, default=None)


def _all_shown(plan: Plan, exercises: list[PlannedExercise]) -> Plan:
    """Return the plan of these exercises with nothing hidden, since only public mazes are reduced."""
    points = {id_: replace(check, visibility="public") for id_, check in plan.points.items()}
    shown = [
        replace(
            exercise,
            checks=tuple(
                replace(check, cases=tuple(replace(case, hidden=False) for case in check.cases))
                for check in exercise.checks
            ),
        )
        for exercise in exercises
    ]
    return replace(plan, points=points, exercises=tuple(shown))
