"""A student's own test mazes, handed in beside the perfection checker: where they are, and what counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from lab.dimension import Dimension
from lab.maze import Maze
from lab.maze_format import MazeFormatError

FOLDER: Final = "my_mazes"
"""They are text files in this folder, beside ``perfection_checker.py``."""
SUFFIX: Final = ".txt"
MOST: Final = 5
"""How many of them count, the first ones by name."""
MOST_SIDE: Final = 40
"""The most rows or columns of a maze."""
TOO_MANY: Final = f"is one too many: the first {MOST} by name count"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
"""Marks at the beginning of text files that some programs on Windows write."""


class MazeSizeError(ValueError):
    """A student's own maze has too many rows or columns."""

    def __init__(self, dimension: Dimension) -> None:
        self.dimension = dimension
        super().__init__(f"has {dimension} cells: at most {MOST_SIDE} rows and {MOST_SIDE} columns count")


def own_mazes_among(paths: Iterable[str]) -> list[str]:
    """Return the paths, relative to the student's folder, that are mazes of their own, sorted by name."""
    split = ((path, *path.rpartition("/")[::2]) for path in paths)
    return sorted(
        path
        for path, folder, name in split
        if folder == FOLDER and name.lower().endswith(SUFFIX) and not name.startswith(".")
    )


def own_mazes_in(folder: Path) -> list[str]:
    """Return the paths of the mazes in a student's folder, relative to it, without links."""
    inside = (folder / FOLDER).iterdir() if (folder / FOLDER).is_dir() else ()
    return own_mazes_among(
        f"{FOLDER}/{path.name}" for path in inside if path.is_file() and not path.is_symlink()
    )


def read_own_maze(content: bytes) -> Maze:
    """Read a maze. Raises UnicodeDecodeError, MazeFormatError or MazeSizeError."""
    encoding = "utf-16" if content.startswith(_UTF_16) else "utf-8-sig"
    maze = Maze.from_text(content.decode(encoding))
    if max(maze.dimension.row_count, maze.dimension.column_count) > MOST_SIDE:
        raise MazeSizeError(maze.dimension)
    return maze


def find_problem(content: bytes) -> str | None:
    """Say why a maze does not count; None if it does."""
    try:
        read_own_maze(content)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return f"is not text in UTF-8 (line {line}): save it as UTF-8"
    except MazeFormatError as error:
        return f"is no maze: {str(error).splitlines()[0]}"
    except MazeSizeError as error:
        return str(error)
    return None


def report(folder: Path) -> Iterator[str]:
    """Yield a line on the mazes in a student's folder, and one on each that does not count."""
    if not (folder / FOLDER).is_dir():
        return
    paths = own_mazes_in(folder)
    problems = {path: find_problem((folder / path).read_bytes()) for path in paths[:MOST]}
    right = sum(problem is None for problem in problems.values())
    yield f"{FOLDER}: {right} of {len(paths)} test mazes count, and are handed in with your checker"
    yield from (f"  {path} {problem}" for path, problem in problems.items() if problem is not None)
    yield from (f"  {path} {TOO_MANY}" for path in paths[MOST:])
