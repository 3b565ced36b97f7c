"""The test maze that the page opens: an existing file, or a new maze."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from grader.course.exercises import WITH_MAZES
from grader.course.maze_files import load_maze_file, load_other_mazes
from grader.errors import InputError
from lab import Dimension, Factory

MOST_ROWS_OR_COLUMNS: Final = 100
"""The most rows or columns of a maze in the editor; a page cannot show more cells."""

_SUFFIXES: Final = (".yaml", ".yml")
_NEW_SIZE: Final = Dimension(5, 5)
_KEY: Final = re.compile(r"([A-Za-z_]+)\s*:")


@dataclass(frozen=True, slots=True)
class MazeFields:
    """The fields of a test maze that the page can change."""

    name: str
    catches: str
    visibility: str
    exercises: tuple[str, ...]
    orders: bool
    """Whether the file contains visit orders."""
    maze: str


@dataclass(frozen=True, slots=True)
class MazeDocument:
    """A file: its fields, and its text by YAML key, so that unchanged keys are saved exactly as they were."""

    file: str
    fields: MazeFields
    head: str = ""
    """The text above the first key."""
    blocks: tuple[tuple[str, str], ...] = ()
    taken: tuple[str, ...] = ()
    """Names of the course's other mazes."""
    offered: tuple[str, ...] = WITH_MAZES
    """The exercises of the course for which a maze can be."""

    def as_data(self) -> dict[str, Any]:
        """Return plain data for the page."""
        return asdict(self)


def open_maze(path: Path | None, folders: Sequence[Path] = (), own: Sequence[str] = ()) -> MazeDocument:
    """Read a test maze; if the file does not exist yet, start with an empty room of 5 x 5 cells.

    ``folders`` are those of the course's mazes other than the file's own, and ``own`` its own exercises.
    Raises InputError if the maze cannot be edited, MazeFileError if the file is not a valid test maze.
    """
    offered = (*WITH_MAZES, *own)
    if path is not None and path.suffix.lower() not in _SUFFIXES:
        raise InputError("expected a name that ends in .yaml", path=path)
    others = load_other_mazes(path, folders, own) if path is not None else ()
    taken = tuple(other.name for other in others)
    if path is None or not path.exists():
        name = path.stem.replace("-", " ").capitalize() if path is not None else "New maze"
        room = Factory().fully_connected(_NEW_SIZE).to_text()
        return MazeDocument(
            path.name if path else "new-maze.yaml",
            MazeFields(name, "", "hidden", offered, False, room),
            taken=taken,
            offered=offered,
        )
    read = load_maze_file(path, own=own)
    size = read.maze.dimension
    if max(size.row_count, size.column_count) > MOST_ROWS_OR_COLUMNS:
        raise InputError(f"expected at most {MOST_ROWS_OR_COLUMNS} rows and columns, got {size}", path=path)
    head, blocks = _split_keys(path.read_text(encoding="utf-8-sig"))
    orders = bool(read.visit_order)
    exercises = offered if read.exercises == WITH_MAZES else read.exercises
    fields = MazeFields(read.name, _on_one_line(read.catches), read.visibility, exercises, orders, read.text)
    return MazeDocument(path.name, fields, head, blocks, taken, offered)


def _on_one_line(words: str) -> str:
    """Join a text into one line, as the page's fields hold it."""
    return " ".join(words.split())


def _split_keys(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Split the text into that above the first key, and each key with the text up to the next one."""
    lines = [f"{line}\n" for line in text.rstrip().splitlines()]
    head = "".join(takewhile(lambda line: not _KEY.match(line), lines))
    blocks: list[tuple[str, str]] = []
    for line in "".join(lines)[len(head) :].splitlines(keepends=True):
        key = _KEY.match(line)
        if key is not None:
            blocks.append((key[1], line))
        else:
            blocks[-1] = (blocks[-1][0], blocks[-1][1] + line)
    return head, tuple(blocks)
