"""Targets for what teachers write and platforms export: rubrics, test mazes, gradebooks."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from grader.course.maze_files import load_maze_file
from grader.course.plan import disagreement
from grader.course.rubric import TOTAL, load_rubric
from grader.errors import InputError, MazeFileError, RubricError
from grader.exercises.registry import titles
from grader.exports.gradebook import fill_gradebook
from grader.exports.grades_csv import read_grades
from grader.exports.scores import make_table
from grader.platforms.base import PLATFORMS, Grade
from lab import Maze

MAZE: Final = """name: One way
catches: nothing
visibility: public
maze: |
  +-+-+
  |S E|
  +-+-+
"""
GRADES: Final = (
    Grade("ada", "Ada Lovelace", "7", 87.5, 100.0, "graded", "", ""),
    Grade("=bob", "Bob, Jr.", "", 0.0, 100.0, "graded", "", ""),
    Grade("cy", "Čy", "12", None, 0.0, "refused", "", ""),
)


def rubric(data: bytes) -> None:
    """A rubric is read, or refused with the place of the mistake."""
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder, "rubric.yaml")
        path.write_bytes(data)
        mazes = path.parent / "mazes"
        mazes.mkdir()
        (mazes / "one.yaml").write_text(MAZE, encoding="utf-8")
        with suppress(RubricError, MazeFileError):
            found = load_rubric(path, checks=titles(), agrees=disagreement)
            worth = sum(check.points for exercise in found.exercises for check in exercise.checks)
            assert round(worth, 2) == TOTAL


def mazes(data: bytes) -> None:
    """A test maze is read, or refused with the place of the mistake."""
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder, "maze.yaml")
        path.write_bytes(data)
        with suppress(MazeFileError):
            found = load_maze_file(path, agrees=disagreement)
            assert Maze.from_text(found.text) == found.maze


def gradebooks(data: bytes) -> None:
    """A gradebook of any platform is filled in, or refused; so is a grades table that people saved anew."""
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder, "gradebook.csv")
        for platform in PLATFORMS:
            path.write_bytes(data)
            with suppress(InputError):
                filled = fill_gradebook(platform, path, GRADES)
                path.write_bytes(filled.content)
                again = fill_gradebook(platform, path, GRADES)
                assert (again.changes, again.written) == ((), filled.written)
        path.with_name("grades.csv").write_bytes(data)
        with suppress(InputError):
            _make_tables(path.parent)


def _make_tables(out: Path) -> None:
    grades = read_grades(out)
    for platform in PLATFORMS:
        with suppress(InputError):
            make_table(platform, out, grades, "Lab")
