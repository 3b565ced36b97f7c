"""What steps cost: costs drawn for a maze, and what a way costs in all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from lab.maze import Maze
from lab.maze_format import EAST_BIT, SOUTH_BIT
from lab.vector import EAST, SOUTH, Vector

_MOST_ADDED = 12


def dear_steps(maze: Maze) -> Iterator[tuple[Vector, Vector, int]]:
    """Yield each step that costs more than 1, from its northern or western cell, with its cost."""
    moves = {EAST_BIT: EAST, SOUTH_BIT: SOUTH}
    for step, cost in sorted(maze._grid().costs.items()):
        row, column = divmod(step // 16, maze.dimension.column_count)
        if step % 16 in moves:
            yield Vector(row + 1, column + 1), moves[step % 16], cost


def has_costs(maze: Maze) -> bool:
    """Tell whether any step costs more than 1."""
    return any(True for _ in dear_steps(maze))


def costs_on(maze: Maze, moves: Sequence[Vector]) -> list[int]:
    """Return what each step of a way from the entry costs."""
    cell, costs = maze.entry, []
    for move in moves:
        costs.append(maze.cost_of(cell, move))
        cell = cell + move
    return costs


def sum_text(costs: Sequence[int]) -> str:
    """Add the costs up for people: ``9 + 2 + 3 = 14``; of many, the sum alone."""
    if not 1 < len(costs) <= _MOST_ADDED:
        return str(sum(costs))
    return f"{' + '.join(map(str, costs))} = {sum(costs)}"


def draw_costs(maze: Maze, costs: Sequence[int], rng: Random) -> None:
    """Give each opening one of the costs by lot."""
    for cell in maze.dimension.all_positions():
        for move in maze.valid_moves_at(cell):
            if move in (EAST, SOUTH):
                maze.break_wall(cell, move, rng.choice(costs))


def open_more(maze: Maze, count: int, rng: Random) -> int:
    """Open so many of the inner walls by lot, as far as there are any, and return how many were opened."""
    walls = [
        (cell, move)
        for cell in maze.dimension.all_positions()
        for move in maze.moves_at(cell)
        if move in (EAST, SOUTH) and maze.is_wall(cell, move)
    ]
    opened = rng.sample(walls, min(count, len(walls)))
    for cell, move in opened:
        maze.break_wall(cell, move)
    return len(opened)


def read_costs(text: str) -> range:
    """Read a range of costs such as ``1-9``, or one. Raises ValueError for what is none from 1 to 9."""
    least, dash, most = text.partition("-")
    ends = least, most if dash else least
    if all(end in tuple("123456789") for end in ends) and ends[0] <= ends[1]:
        return range(int(ends[0]), int(ends[1]) + 1)
    raise ValueError(f"expected costs from 1 to 9, such as 1-9 or 2-5, got {text!r}")
