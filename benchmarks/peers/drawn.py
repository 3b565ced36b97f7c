"""The mazes of the peers' tests: fixed ones from a file, and others drawn from a seed."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from lab import MOVES, Dimension, Factory, Maze, Vector

FIXED_FILE = "fixed.json"
EXAMPLES = 200
LARGEST = 6
"""The most rows or columns of a drawn maze."""


def fixed(folder: Path) -> list[tuple[Maze, bool]]:
    """Return the fixed mazes, and whether each is perfect."""
    read = json.loads((folder / FIXED_FILE).read_text(encoding="ascii"))
    return [(Maze.from_text(text), is_perfect) for text, is_perfect in read]


def perfect(size: Dimension, seed: int) -> Maze:
    """Draw a random tree: from any found cell, break a wall to one that was not found yet."""
    rng, maze = Random(seed), Factory().fully_disconnected(size)
    found = [maze.entry]
    left = {*size.all_positions()} - {maze.entry}
    while left:
        at = rng.choice(found)
        moves = [move for move in MOVES if at + move in left]
        if not moves:
            found.remove(at)
            continue
        move = rng.choice(moves)
        maze.break_wall(at, move)
        found.append(at + move)
        left.remove(at + move)
    return maze


def with_a_passage_more(size: Dimension, seed: int) -> Maze:
    """Draw a perfect maze with walls left, and break one of them."""
    maze = perfect(size, seed)
    maze.break_wall(*Random(seed).choice(_sides(maze, open_=False)))
    return maze


def with_a_passage_less(size: Dimension, seed: int) -> Maze:
    """Draw a perfect maze, and build a wall."""
    maze = perfect(size, seed)
    maze.build_wall(*Random(seed).choice(_sides(maze, open_=True)))
    return maze


def _sides(maze: Maze, *, open_: bool) -> list[tuple[Vector, Vector]]:
    """Return the inner sides of cells that are open, or those that are closed."""
    cells = maze.dimension.all_positions()
    return [(at, move) for at in cells for move in maze.moves_at(at) if maze.is_clear(at, move) is open_]
