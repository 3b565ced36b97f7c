"""Assign statements about mazes to checks: to a declared one, or to the checks of all test mazes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grader.course.declared_checks import OwnCheck
from grader.course.maze_files import MazeFile
from grader.course.rubric import RubricCheck, RubricExercise
from grader.course.statements import STATEMENTS
from grader.course.yaml.value import quoted
from grader.errors import MazeFileError
from grader.exercises.kit.cases.fixed_mazes import FixedMaze, Stated
from grader.exercises.kit.solvers.declared import Own


def with_statements(mazes: Iterable[MazeFile], exercises: Sequence[RubricExercise]) -> tuple[FixedMaze, ...]:
    """Give mazes the statements that no declared check judges, so that the checks of all test mazes do.

    Raises MazeFileError if no check would judge a statement.
    """
    return tuple(_with_statements(maze, exercises) for maze in mazes)


def _with_statements(maze: MazeFile, exercises: Sequence[RubricExercise]) -> FixedMaze:
    stated: dict[str, tuple[Stated, ...]] = {}
    for exercise in exercises:
        named = any(check.own and maze.name in check.own.mazes for check in exercise.checks)
        if exercise.id in maze.stated and not named:
            _refuse_unjudged(maze, exercise)
            stated[exercise.id] = (maze.stated[exercise.id],)
    return FixedMaze(maze.name, maze.text, maze.visibility == "hidden", maze.exercises, stated)


def _refuse_unjudged(maze: MazeFile, exercise: RubricExercise) -> None:
    judge = f"{exercise.id}.{'hidden-mazes' if maze.visibility == 'hidden' else 'visit-order'}"
    if judge not in {check.id for check in exercise.checks}:
        key = next(key for key in STATEMENTS if key in maze.places)
        line, column = maze.places[key]
        raise MazeFileError(
            f"{key}: the rubric leaves {judge} out, which would judge it: put that in, or declare a check "
            f"with the maze {quoted(maze.name)}",
            path=maze.path,
            line=line,
            column=column,
        )


def declared_checks(
    checks: Iterable[RubricCheck], exercise: str, mazes: Iterable[MazeFile]
) -> dict[str, Own]:
    """Return the declared checks by id, each with those of its mazes that are available."""
    known = {maze.name: maze for maze in mazes}
    return {
        check.id: Own(
            check.own.title,
            tuple(
                _with_check_statements(known[name], exercise, check.own)
                for name in check.own.mazes
                if name in known
            ),
        )
        for check in checks
        if check.own is not None
    }


def _with_check_statements(maze: MazeFile, exercise: str, check: OwnCheck) -> FixedMaze:
    by_itself = (maze.stated[exercise],) if exercise in maze.stated else ()
    stated = {exercise: (*by_itself, check.stated)}
    return FixedMaze(maze.name, maze.text, maze.visibility == "hidden", maze.exercises, stated)
