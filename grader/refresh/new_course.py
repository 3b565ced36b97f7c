"""Write next year's course: the rubric with another seed, and the mazes, some of them replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from grader.course.course_folder import RUBRIC, write_course_folder
from grader.course.maze_files import MazeFile
from grader.course.new_maze import as_yaml
from grader.course.rubric import Rubric
from grader.exports.gradescope import course_files
from grader.refresh.maze_search import RenewedMaze

_SEED: Final = re.compile(r"^seed:[ \t]*[0-9]+", re.MULTILINE)
_TITLE: Final = re.compile(r"^title:.*$", re.MULTILINE)


def write_course(rubric: Rubric, renewed: Sequence[RenewedMaze], seed: int, out: Path) -> None:
    """Write the rubric and all it needs into a folder that appears completely or not at all."""
    write_course_folder(_files(rubric, renewed, seed), out)


def _files(rubric: Rubric, renewed: Sequence[RenewedMaze], seed: int) -> Iterator[tuple[str, bytes]]:
    fresh = {each.old.path.resolve(): each.new for each in renewed if each.new is not None}
    for name, path in course_files(rubric):
        new = fresh.get(path.resolve())
        yield name, path.read_bytes() if new is None else _maze_file(new).encode()
    yield RUBRIC, _with_seed(rubric.source, seed).encode()


def _maze_file(maze: MazeFile) -> str:
    catches = maze.caught if len(maze.caught) > 1 else maze.catches
    text = as_yaml(maze.maze, maze.name, catches, maze.visibility)
    if "exercises" not in maze.places:
        return text
    return text.replace("\nmaze: |", f"\nexercises: [{', '.join(maze.exercises)}]\nmaze: |", 1)


def _with_seed(source: str, seed: int) -> str:
    """Replace the seed in the rubric's text, keeping its comments."""
    line = f"seed: {seed}"
    text, count = _SEED.subn(line, source, count=1)
    return text if count else _TITLE.sub(lambda title: f"{title[0]}\n{line}", source, count=1)
