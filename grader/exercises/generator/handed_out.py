"""Tell whether mazes are those that the stand-in for AldousBroder hands out while a file is loaded.

It hands out one maze per dimension, by a rule without randomness that nobody writes by chance. Whoever
disables its guard against calls, or keeps what it gave, returns that maze for every seed.
``inside/trying_out.py`` has the same rule for the box, whose word is not trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from grader.exercises.generator.given_walk import TURNS, Turn, turned_cell
from grader.exercises.kit.facts import Facts
from lab import Dimension, Factory, Maze, Vector
from lab.vector import EAST, NORTH


def are_handed_out(mazes: Sequence[Facts]) -> bool:
    """Return whether more than half of the mazes are handed out, perhaps rotated or mirrored."""
    return 2 * sum(maze.walls in _walls(maze.dimension) for maze in mazes) > len(mazes)


def handed_out(dimension: Dimension) -> Maze:
    """Make the stand-in's maze: a corridor for each row, and one door from each to the next."""
    maze, columns = Factory().fully_disconnected(dimension), dimension.column_count
    for cell in dimension.all_positions():
        if cell.column < columns:
            maze.break_wall(cell, EAST)
        if cell.row > 1 and cell.column == (7 * cell.row * cell.row + 3 * cell.row) // 4 % columns + 1:
            maze.break_wall(cell, NORTH)
    return maze


@lru_cache(maxsize=8)
def _walls(dimension: Dimension) -> frozenset[str]:
    """Return the walls of a dimension's stand-in maze in all rotations and reflections."""
    return frozenset(Facts(_laid(dimension, turn).to_text()).walls for turn in TURNS)


def _laid(dimension: Dimension, turn: Turn) -> Maze:
    rows, columns = dimension.row_count, dimension.column_count
    given = Facts(handed_out(Dimension(columns, rows) if turn[0] else dimension).to_text())
    maze = Factory().fully_disconnected(dimension)
    for cell in given.dimension.all_positions():
        for move in given.maze.valid_moves_at(cell):
            here, there = turned_cell(cell, given, turn), turned_cell(cell + move, given, turn)
            maze.break_wall(here, Vector(there.row - here.row, there.column - here.column))
    return maze
