"""Find the smallest maze on which a wrong submission fails."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from grader.course.exercises import WITH_MAZES
from grader.course.maze_files import MazeFile
from grader.course.maze_report import read_maze
from grader.course.plan import Plan, disagreement
from grader.course.rubric import RubricExercise
from grader.course.statement_checks import declared_checks, with_statements
from grader.errors import InputError, MazeFileError
from grader.exercises.kit.cases.library import CaseBook
from grader.exercises.kit.check import PlannedExercise
from grader.exercises.registry import make_checks
from grader.grading.engine import grade
from grader.languages import said
from grader.model import Submission
from grader.results import as_data
from grader.sandbox.base import Backend
from lab import Maze

# --- one maze plan ----------------------------------------------------------------------------------
# A plan that uses only one new test maze, so that a bank is graded in seconds.


def plan_for_maze(plan: Plan, path: Path) -> Plan:
    """Return a plan with the checks that would use the maze, each on that maze alone.

    Raises MazeFileError if the file is wrong, or the rubric already has such a maze.
    """
    maze = read_maze(path, agrees=disagreement, own=[each.id for each in plan.rubric.own_exercises])
    twin = next((other for other in plan.rubric.mazes if other.text == maze.text), None)
    if twin is not None and twin.path.resolve() != path.resolve():
        raise MazeFileError(f"the same drawing stands in {twin.path} already", path=path)
    planned = {exercise.id: exercise for exercise in plan.rubric.exercises}
    asked = (exercise for exercise in plan.exercises if exercise.id in maze.exercises)
    exercises = tuple(_with_maze(exercise, planned[exercise.id], maze) for exercise in asked)
    exercises = tuple(exercise for exercise in exercises if exercise.checks)
    digest = hashlib.sha256(plan.rubric.digest.encode() + path.read_bytes())
    rubric = replace(plan.rubric, mazes=(maze,), digest=digest.hexdigest())
    return replace(plan, rubric=rubric, exercises=exercises)


def _with_maze(exercise: PlannedExercise, planned: RubricExercise, maze: MazeFile) -> PlannedExercise:
    label = said("the_maze", name=maze.name)
    book = CaseBook(1, 1, with_statements([maze], [planned]))
    own = declared_checks(planned.checks, planned.id, [maze])
    made = make_checks(exercise.id, [check.id for check in exercise.checks], book, own=own)
    about = [(check, tuple(case for case in check.cases if case.label == label)) for check in made]
    return replace(exercise, checks=tuple(replace(check, cases=cases) for check, cases in about if cases))


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
