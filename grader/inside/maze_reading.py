"""The mazes of calls: solvers' are read once for all children of a box; how a call left any is reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lab import maze_format
from lab.maze import Maze
from lab.maze_format import ParsedMaze

UNWRITTEN: Final = "the maze was changed so that it cannot be written"
"""Stands for the text of a maze whose inside is broken, or has another size than it had."""
content_of: Final[Callable[[Maze], ParsedMaze]] = Maze._grid
_write: Final[Callable[[ParsedMaze], str]] = maze_format.write
_READ_AHEAD: Final[dict[str, Maze]] = {}
"""Mazes that were read before a child was forked, by their texts; a solver is handed watched copies."""


def read_ahead(arguments: dict[str, Any]) -> None:
    """Read the mazes of a solver's call once for all children: each solver is asked about most of them."""
    for text in arguments.get("mazes", ()):
        if text not in _READ_AHEAD:
            _READ_AHEAD[text] = Maze.from_text(text)


def maze_of(text: str) -> Maze:
    """Return the maze of a text, to be read only."""
    return _READ_AHEAD.get(text) or Maze.from_text(text)


def changed(maze: Maze, before: ParsedMaze) -> str | None:
    """Return the text of a maze that was changed, else None; one of another size is not written at all."""
    try:
        after = content_of(maze)
        if tuple(after) == tuple(before):
            return None
        if not _as_large(after, before):
            return UNWRITTEN
        text = str(_write(after))
        return text if len(text) <= len(_write(before)) else UNWRITTEN
    except Exception:  # noqa: BLE001 - its fields may hold anything by now
        return UNWRITTEN


def _as_large(grid: ParsedMaze, other: ParsedMaze) -> bool:
    sides = (grid.row_count, grid.column_count)
    return all(type(side) is int for side in sides) and sides == (other.row_count, other.column_count)
