"""Checks whether the moves that a solver returned are a way: from the entry, through no wall, to the exit."""

from __future__ import annotations

from collections import deque
from types import GeneratorType
from typing import Any, TypeGuard

from lab.maze import Maze
from lab.vector import MOVES, Vector


def moves_text(moves: list[Vector]) -> str:
    """Format moves for people: ``[south, east, north]``."""
    return "[" + ", ".join(Vector(*move).name for move in moves) + "]"


def cell_text(cell: tuple[int, int]) -> str:
    """Format a cell for people: ``(1, 2)``."""
    return f"({cell[0]}, {cell[1]})"


def flaw(maze: Maze, returned: object, *, any_walk: bool = False) -> str | None:
    """Say what is wrong with a returned value; None if it is a way through the maze.

    None has no flaw: whether there is a way is not checked. With ``any_walk``, cells may be repeated and the
    end may be anywhere: further conditions are up to the exercise.
    """
    if returned is None:
        return None
    if not is_list(returned):
        return f"returned {describe(returned)}; expected a list of moves, or None"
    position, visited = maze.entry, {maze.entry}
    for number, move in enumerate(returned, start=1):
        if (wrong := _no_move(maze, number, move) or _blocked(maze, number, move, position)) is not None:
            return wrong
        position = position + move
        if position in visited and not any_walk:
            return f"move {number} ({Vector(*move).name}) comes to {cell_text(position)} a second time"
        visited.add(position)
    return None if any_walk else _wrong_end(maze, position)


def is_list(returned: object) -> TypeGuard[list[Any] | tuple[Any, ...] | deque[Any]]:
    """Tell whether it counts as a list of moves: a tuple and a deque do, a single vector does not."""
    return isinstance(returned, list | tuple | deque) and not isinstance(returned, Vector)


def describe(value: object) -> str:
    """Format any value for a message: short, on one line, whatever its ``repr`` does."""
    if isinstance(value, GeneratorType):
        return "a generator, as a function with yield does"
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001 - a student's __repr__ may do anything
        text = f"<no repr: {type(error).__name__}>"
    text = " ".join(text.split())
    return text if len(text) <= 100 else text[:97] + "..."


def _no_move(maze: Maze, number: int, move: object) -> str | None:
    if isinstance(move, tuple) and move in MOVES:
        return None
    wrong = f"element {number} of the list is {describe(move)}, not a move (NORTH, EAST, SOUTH or WEST)"
    if isinstance(move, tuple) and len(move) == 2 and all(type(number) is int for number in move):
        wrong = wrong.replace(describe(move), cell_text(move))
        if maze.dimension.includes(move):
            wrong += ": the list holds the moves of the way, not its cells"
    return wrong


def _blocked(maze: Maze, number: int, move: object, position: Vector) -> str | None:
    if not isinstance(move, tuple) or maze.is_valid_at(position, move):
        return None
    blocked_by = "a wall" if move in maze.moves_at(position) else "the border"
    return f"move {number} ({Vector(*move).name}) runs into {blocked_by} at {cell_text(position)}"


def _wrong_end(maze: Maze, position: Vector) -> str | None:
    if maze.exit is None:
        return f"the moves lead to {cell_text(position)}, but the maze has no exit: expected None"
    if position != maze.exit:
        return f"the moves end in {cell_text(position)}, not in the exit {cell_text(maze.exit)}"
    return None
