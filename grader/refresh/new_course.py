"""Writing next year's course: the rubric with another seed, and the mazes, some of them replaced."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from grader.course.maze_files import MazeFile
from grader.course.new_maze import as_yaml
from grader.course.plan import load_plan
from grader.course.rubric import Rubric
from grader.disk import write_whole
from grader.exports.gradescope import course_files
from grader.refresh.maze_search import RenewedMaze

_SEED: Final = re.compile(r"^seed:[ \t]*[0-9]+", re.MULTILINE)
_TITLE: Final = re.compile(r"^title:.*$", re.MULTILINE)


def write_course(rubric: Rubric, renewed: Sequence[RenewedMaze], seed: int, out: Path) -> None:
    """Write the rubric and all it needs into a folder, which appears completely or not at all."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".maze-grader-", dir=out.parent) as beside:
        _write(rubric, renewed, seed, Path(beside) / "course")
        load_plan(Path(beside) / "course/rubric.yaml")
        (Path(beside) / "course").replace(out)


def _write(rubric: Rubric, renewed: Sequence[RenewedMaze], seed: int, out: Path) -> None:
    fresh = {each.old.path.resolve(): each.new for each in renewed if each.new is not None}
    for name, path in course_files(rubric):
        new = fresh.get(path.resolve())
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(out / name, path.read_bytes() if new is None else _maze_file(new).encode())
    write_whole(out / "rubric.yaml", _with_seed(rubric.source, seed).encode())


def _maze_file(maze: MazeFile) -> str:
    catches = maze.caught if len(maze.caught) > 1 else maze.catches
    text = as_yaml(maze.maze, maze.name, catches, maze.visibility)
    if "exercises" not in maze.places:
        return text
    return text.replace("\nmaze: |", f"\nexercises: [{', '.join(maze.exercises)}]\nmaze: |", 1)


def _with_seed(source: str, seed: int) -> str:
    """Return the text of the rubric, comments included, with another seed."""
    line = f"seed: {seed}"
    text, count = _SEED.subn(line, source, count=1)
    return text if count else _TITLE.sub(lambda title: f"{title[0]}\n{line}", source, count=1)
