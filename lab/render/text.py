"""A maze as text, with a way drawn through it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lab.maze import Maze
from lab.vector import Vector

_TRAIL, _CROSSED = ".", "x"
_COLOURS: Final = {"S": "1;32", "E": "1;31", _TRAIL: "32", _CROSSED: "1;31"}
"""Terminal colours: green for the way, red for the exit and for a wall that a move runs through."""


def draw(maze: Maze, *, solution: Sequence[Vector] | None = None, colour: bool = False) -> str:
    """Draw the maze as its text format has it, the way marked by ``.`` in cells and openings.

    An opening that costs keeps its number. The moves may be wrong: a wall or border that one runs
    through is marked ``x``, and what comes after it is drawn as far as it stays inside the grid.
    """
    canvas = [list(line) for line in maze.to_text().split("\n")]
    position = maze.entry
    for move in solution or ():
        line, column = 2 * position[0] - 1 + move[0], 2 * position[1] - 1 + move[1]
        if not maze.is_clear(position, move):
            canvas[line][column] = _CROSSED
        elif maze.cost_of(position, move) == 1:
            canvas[line][column] = _TRAIL
        position = position + move
        if not maze.dimension.includes(position):
            break
        _mark(canvas, position)
    lines = ["".join(line) for line in canvas]
    return "\n".join(map(_coloured, lines) if colour else lines)


def _mark(canvas: list[list[str]], position: Vector) -> None:
    line = canvas[2 * position.row - 1]
    if line[2 * position.column - 1] == " ":
        line[2 * position.column - 1] = _TRAIL


def _coloured(line: str) -> str:
    return "".join(f"\x1b[{_COLOURS[sign]}m{sign}\x1b[0m" if sign in _COLOURS else sign for sign in line)
