"""Edits that give a maze the feature a check is about; all take and return text or mazes.

Randomness comes from a ``random.Random``; None if the edit is impossible in a maze.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from grader.exercises.kit.facts import Facts
from lab import EAST, SOUTH, Maze, Vector

Wall = tuple[Vector, Vector]


def marked(maze: Maze, entry: Vector, exit_: Vector | None) -> Maze:
    """Return the same walls with another entry and exit."""
    lines = [line.replace("S", " ").replace("E", " ") for line in maze.to_text().split("\n")]
    for mark, cell in (("S", entry), ("E", exit_)):
        if cell is not None:
            line, column = 2 * cell.row - 1, 2 * cell.column - 1
            lines[line] = lines[line][:column] + mark + lines[line][column + 1 :]
    return Maze(lines)


def inner_sides(maze: Maze) -> Iterator[Wall]:
    """Yield each place of a possible wall or passage, as a cell and the move across it."""
    for cell in maze.dimension.all_positions():
        for move in (EAST, SOUTH):
            if maze.dimension.includes(cell + move):
                yield cell, move


def with_passages(maze: Maze, rng: Random, count: int) -> Maze | None:
    """Add ``count`` passages to the maze in random places."""
    return _changed(maze, rng, count, opening=True)


def with_walls(maze: Maze, rng: Random, count: int) -> Maze | None:
    """Close ``count`` passages of the maze in random places."""
    return _changed(maze, rng, count, opening=False)


def _changed(maze: Maze, rng: Random, count: int, *, opening: bool) -> Maze | None:
    sides = [side for side in inner_sides(maze) if maze.is_wall(*side) == opening]
    if not sides:
        return None
    changed = maze.copy()
    change = changed.break_wall if opening else changed.build_wall
    for side in rng.sample(sides, min(count, len(sides))):
        change(*side)
    return changed


def cut_off(maze: Maze, rng: Random) -> Maze | None:
    """Build a wall at a random place on the way of a perfect maze, so that the exit cannot be reached."""
    facts = Facts(maze.to_text())
    return None if facts.length is None else _cut(facts, rng.randrange(facts.length))


def cut_in_the_middle(maze: Maze) -> Maze:
    """Build a wall in the middle of the way of a perfect maze, so that both parts are large."""
    facts = Facts(maze.to_text())
    return _cut(facts, (facts.length or 0) // 2)


def _cut(facts: Facts, at: int) -> Maze:
    way, cell = facts.shortest_way or (), facts.maze.entry
    for move in way[:at]:
        cell = cell + move
    cut = facts.maze.copy()
    cut.build_wall(cell, way[at])
    return cut


def with_cycle_in_reach(maze: Maze, rng: Random) -> Maze | None:
    """Add a passage between two reachable cells."""
    return _with_cycle(maze, rng, in_reach=True)


def _with_cycle(maze: Maze, rng: Random, *, in_reach: bool) -> Maze | None:
    reached = Facts(maze.to_text()).distances
    sides = [
        (cell, move)
        for cell, move in inner_sides(maze)
        if maze.is_wall(cell, move) and (cell in reached) == (cell + move in reached) == in_reach
    ]
    if not sides:
        return None
    changed = maze.copy()
    changed.break_wall(*rng.choice(sides))
    return changed


def with_cycle_and_island(maze: Maze, rng: Random) -> Maze | None:
    """Return a maze with as many passages as a perfect one, but a cycle and unreachable cells.

    The cycle is on the entry's side, or on the island.
    """
    passages = [side for side in inner_sides(maze) if maze.is_clear(*side)]
    in_reach = rng.random() < 0.6
    for side in rng.sample(passages, len(passages)):
        cut = maze.copy()
        cut.build_wall(*side)
        if (changed := _with_cycle(cut, rng, in_reach=in_reach)) is not None:
            return changed
    return None
