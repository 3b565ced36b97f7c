"""Writing next year's course: the rubric with another seed, and its mazes, some of them others."""

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
from grader.refresh.search import Renewed

_SEED: Final = re.compile(r"^seed:[ \t]*[0-9]+", re.MULTILINE)
_MAZES: Final = re.compile(r"^mazes:[ \t]*[^\s#].*$", re.MULTILINE)
_TITLE: Final = re.compile(r"^title:.*$", re.MULTILINE)


def write_course(rubric: Rubric, renewed: Sequence[Renewed], seed: int, out: Path) -> None:
    """Write ``rubric.yaml`` and ``mazes/`` into a folder that is there with all of it, or not at all."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".maze-grader-", dir=out.parent) as beside:
        _write(rubric, renewed, seed, Path(beside) / "course")
        load_plan(Path(beside) / "course/rubric.yaml")
        (Path(beside) / "course").replace(out)


def _write(rubric: Rubric, renewed: Sequence[Renewed], seed: int, out: Path) -> None:
    fresh = {each.old.path: each.new for each in renewed if each.new is not None}
    (out / "mazes").mkdir(parents=True, exist_ok=True)
    for maze in rubric.mazes:
        new = fresh.get(maze.path)
        content = maze.path.read_bytes() if new is None else _maze_file(new).encode()
        write_whole(out / "mazes" / maze.path.name, content)
    write_whole(out / "rubric.yaml", _with_seed(rubric.source, seed).encode())


def _maze_file(maze: MazeFile) -> str:
    catches = maze.caught if len(maze.caught) > 1 else maze.catches
    text = as_yaml(maze.maze, maze.name, catches, maze.visibility)
    if "exercises" not in maze.places:
        return text
    return text.replace("\nmaze: |", f"\nexercises: [{', '.join(maze.exercises)}]\nmaze: |", 1)


def _with_seed(source: str, seed: int) -> str:
    """The text of the rubric, with its comments, another seed, and the mazes beside it."""
    line = f"seed: {seed}"
    text, count = _SEED.subn(line, source, count=1)
    if not count:
        text = _TITLE.sub(lambda title: f"{title[0]}\n{line}", source, count=1)
    return _MAZES.sub("mazes: mazes", text, count=1)
