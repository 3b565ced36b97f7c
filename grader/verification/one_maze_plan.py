"""A plan that uses only one new test maze, so that a bank is graded in seconds."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from grader.course.maze_files import MazeFile
from grader.course.maze_report import read_maze
from grader.course.plan import Plan, disagreement
from grader.course.rubric import RubricExercise
from grader.course.statement_checks import declared_checks, with_statements
from grader.errors import MazeFileError
from grader.exercises.kit.cases.library import CaseBook
from grader.exercises.kit.check import PlannedExercise
from grader.exercises.registry import make_checks
from grader.languages import said


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
