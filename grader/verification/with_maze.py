"""A plan of what one new test maze adds, and nothing else: it is graded in seconds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from grader import checks
from grader.cases.library import CaseBook, FixedMaze
from grader.checks.base import Exercise
from grader.course.maze_files import MazeFile
from grader.course.maze_report import read_maze
from grader.course.plan import Plan, disagreement
from grader.errors import MazeFileError
from grader.languages import said


def only_with(plan: Plan, path: Path) -> Plan:
    """The checks that would ask about the maze, each about that maze alone.

    Raises MazeFileError where the file is wrong, or the rubric has such a maze already.
    """
    maze = read_maze(path, agrees=disagreement)
    twin = next((other for other in plan.rubric.mazes if other.text == maze.text), None)
    if twin is not None and twin.path.resolve() != path.resolve():
        raise MazeFileError(f"the same drawing stands in {twin.path} already", path=path)
    exercises = tuple(_with(exercise, maze) for exercise in plan.exercises if exercise.id in maze.exercises)
    exercises = tuple(exercise for exercise in exercises if exercise.checks)
    return replace(plan, rubric=replace(plan.rubric, mazes=(maze,)), exercises=exercises)


def _with(exercise: Exercise, maze: MazeFile) -> Exercise:
    label = said("the_maze", name=maze.name)
    book = CaseBook(1, 1, [FixedMaze(maze.name, maze.text, maze.visibility == "hidden", maze.exercises)])
    made = checks.make(exercise.id, [check.id for check in exercise.checks], book)
    about = [(check, tuple(case for case in check.cases if case.label == label)) for check in made]
    return replace(exercise, checks=tuple(replace(check, cases=cases) for check, cases in about if cases))
