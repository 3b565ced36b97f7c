"""Small mazes from the smallest up: the first one on which a submission is wrong is shown to it.

Every maze of up to 2 x 2 cells is on the ladder, with entry and exit in all places; of the larger
ones up to 3 x 3 a fixed choice of each kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from random import Random

from grader.cases.edits import inner_sides, marked
from lab import Dimension, Factory, Maze, Vector

COMPLETE = ((1, 2), (2, 1), (1, 3), (3, 1), (2, 2))
CHOSEN = (((2, 3), 160), ((3, 2), 160), ((3, 3), 300), ((3, 4), 200), ((4, 4), 200))
SEED = 1
MOST_RUNGS = 5000


@lru_cache(maxsize=1)
def ladder() -> tuple[str, ...]:
    """The texts of the small mazes, the smallest first."""
    rungs = [text for sides in COMPLETE for text in _all(Dimension(*sides))]
    for sides, count in CHOSEN:
        rungs.extend(_some(Dimension(*sides), count, Random(SEED)))
    return tuple(dict.fromkeys(rungs))


def _all(dimension: Dimension) -> Iterator[str]:
    blank = Factory().fully_disconnected(dimension)
    sides = list(inner_sides(blank))
    for openings in product((True, False), repeat=len(sides)):
        maze = blank.copy()
        for side, is_open in zip(sides, openings, strict=True):
            if is_open:
                maze.break_wall(*side)
        for entry, exit_ in _marks(dimension):
            yield marked(maze, entry, exit_).to_text()


def _marks(dimension: Dimension) -> Iterator[tuple[Vector, Vector | None]]:
    cells = dimension.all_positions()
    for entry in cells:
        yield from ((entry, exit_) for exit_ in (*reversed(cells), None) if exit_ != entry)


def _some(dimension: Dimension, count: int, rng: Random) -> Iterator[str]:
    """Mazes with few passages more or fewer than a perfect one, where mistakes show best."""
    cells = dimension.all_positions()
    for _ in range(count):
        maze = _random_tree(dimension, rng)
        sides = list(inner_sides(maze))
        for cell, move in rng.sample(sides, rng.choice((0, 0, 1, 2))):
            (maze.break_wall if maze.is_wall(cell, move) else maze.build_wall)(cell, move)
        entry, exit_ = rng.sample(cells, 2)
        yield marked(maze, entry, exit_ if rng.random() < 0.9 else None).to_text()


def _random_tree(dimension: Dimension, rng: Random) -> Maze:
    maze = Factory().fully_disconnected(dimension)
    seen, walls = {maze.entry}, list(inner_sides(maze))
    while len(seen) < dimension.position_count:
        cell, move = rng.choice(walls)
        if (cell in seen) != (cell + move in seen):
            maze.break_wall(cell, move)
            seen |= {cell, cell + move}
    return maze
