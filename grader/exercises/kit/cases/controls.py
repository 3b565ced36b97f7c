"""Mazes that show whether a submission does its work at all, rather than being right by chance.

They come in sets that no count of cells, walls or passages tells apart, and are drawn with the rubric's seed:
so memorising mazes, or guessing by how a maze looks, does not help.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import cycle, islice
from random import Random

from grader.exercises.kit.cases.edits import marked, with_cycle_and_island, with_passages, with_walls
from grader.exercises.kit.cases.store import kept
from grader.exercises.kit.facts import distances_from, facts_of
from lab import Dimension, Factory, Maze, Vector

SETS = 36
SIDES = ((3, 3), (2, 3), (3, 5), (4, 4), (5, 3), (3, 4), (5, 5), (4, 5), (3, 7), (2, 6), (7, 3), (6, 4))
"""As many dimensions with an odd number of cells as with an even one, since the number of passages of a
perfect maze would otherwise always be odd, or always even."""
MOST_CHANGES = 3
LEAST_WAY = 4
"""Shorter ways, in moves, are found without a search."""


@lru_cache(maxsize=4)
def sets_to_tell_apart(seed: int) -> tuple[tuple[str, str, str, str], ...]:
    """Return perfect mazes, each with three mazes made from it, with entry and exit in the corners.

    These have more passages, fewer passages, and as many, but with a cycle and an island.
    """
    rng = Random(seed)
    sides = islice(cycle(SIDES), SETS)
    found = kept("sets", seed, SETS, lambda: [_set(Dimension(*each), rng) for each in sides])
    return tuple((perfect, more, fewer, as_many) for perfect, more, fewer, as_many in found)


def _set(dimension: Dimension, rng: Random) -> tuple[str, str, str, str]:
    while True:
        tree = _tree(dimension, rng)
        count = rng.randint(1, MOST_CHANGES)
        changes = (
            with_passages(tree, rng, count),
            with_walls(tree, rng, count),
            with_cycle_and_island(tree, rng),
        )
        more, fewer, as_many = (change and change.to_text() for change in changes)
        if more and fewer and as_many:
            return tree.to_text(), more, fewer, as_many


def _tree(dimension: Dimension, rng: Random) -> Maze:
    from grader.exercises.kit.cases.textures import TEXTURES  # only where none are kept yet

    texture = rng.choice(sorted(TEXTURES))
    return TEXTURES[texture](rng).generate(Factory(), dimension)


def with_a_way(text: str, rng: Random) -> str | None:
    """Move the entry to a random cell of the maze's largest part, and the exit as far from it as possible.

    None if the way is too short.
    """
    maze = facts_of(text).maze
    largest = max(_parts(maze), key=len)
    distances = distances_from(maze, rng.choice(sorted(largest)))
    entry, exit_ = min(distances, key=distances.__getitem__), max(distances, key=distances.__getitem__)
    return None if distances[exit_] < LEAST_WAY else marked(maze, entry, exit_).to_text()


def _parts(maze: Maze) -> Iterator[dict[Vector, int]]:
    """Yield the cells of each part of a maze between which there is a way."""
    seen = set[Vector]()
    for cell in maze.dimension.all_positions():
        if cell not in seen:
            part = distances_from(maze, cell)
            seen |= part.keys()
            yield part
