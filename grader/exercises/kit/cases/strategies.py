"""Hypothesis strategies for mazes, each the text of a maze with the feature that a check is about.

A maze is drawn as a dimension, a texture (a generator), a seed, an entry and an exit, and then edited. Small
numbers mean small, simple mazes, so that counterexamples shrink to these.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from hypothesis import strategies as st

from grader.exercises.kit.cases import edits
from grader.exercises.kit.cases.draw import draw
from grader.exercises.kit.cases.textures import TEXTURES
from lab import Dimension, Factory, Maze

Edit = Callable[[Maze, Random], Maze | None]

SEEDS = st.integers(0, 2**32 - 1)


def dimensions(low: int = 2, high: int = 6) -> st.SearchStrategy[Dimension]:
    """Draw dimensions with sides from ``low`` to ``high``, with two cells or more."""
    sides = st.integers(low, high)
    return st.builds(Dimension, sides, sides).filter(lambda dimension: dimension.position_count > 1)


def long_dimensions(longest: int = 14, oblong: tuple[int, int] = (4, 10)) -> st.SearchStrategy[Dimension]:
    """Draw single rows and columns of up to ``longest`` cells, and grids much longer than wide."""
    return st.one_of(
        st.builds(Dimension, st.just(1), st.integers(2, longest)),
        st.builds(Dimension, st.integers(2, longest), st.just(1)),
        st.builds(Dimension, st.integers(2, 3), st.integers(*oblong)),
        st.builds(Dimension, st.integers(*oblong), st.integers(2, 3)),
    )


def trees(sizes: st.SearchStrategy[Dimension], *, exits: bool = True) -> st.SearchStrategy[Maze]:
    """Draw perfect mazes of every texture, with entry and exit anywhere; without ``exits``, some have no
    exit."""
    textures = st.sampled_from(sorted(TEXTURES))
    return st.builds(partial(_tree, exits=exits), sizes, textures, SEEDS)


def _tree(dimension: Dimension, texture: str, seed: int, *, exits: bool) -> Maze:
    rng = Random(seed)
    maze = TEXTURES[texture](rng).generate(Factory(), dimension)
    entry, exit_ = rng.sample(dimension.all_positions(), 2)
    return edits.marked(maze, entry, exit_ if exits or rng.random() < 0.5 else None)


def changed(mazes: st.SearchStrategy[Maze], *changes: Edit) -> st.SearchStrategy[Maze]:
    """Draw the mazes after one or more random edits; skip those that cannot be edited."""

    def change(tree: Maze, seed: int) -> Maze | None:
        rng, maze = Random(seed), tree
        for edit in changes:
            edited = edit(maze, rng)
            if edited is None:
                return None
            maze = edited
        return maze

    return st.builds(change, mazes, SEEDS).filter(lambda maze: maze is not None)  # type: ignore[return-value]


def _some_passages(maze: Maze, rng: Random) -> Maze | None:
    return edits.with_passages(maze, rng, 1 + int(rng.random() * 4))


def _one_passage(maze: Maze, rng: Random) -> Maze | None:
    return edits.with_passages(maze, rng, 1)


def _one_wall(maze: Maze, rng: Random) -> Maze | None:
    return edits.with_walls(maze, rng, 1)


def _no_exit(maze: Maze, _rng: Random) -> Maze | None:
    return edits.marked(maze, maze.entry, None)


def _families(
    roomy: st.SearchStrategy[Dimension],
    three_or_more: st.SearchStrategy[Dimension],
    long: st.SearchStrategy[Dimension],
) -> dict[str, st.SearchStrategy[Maze]]:
    """Return the families of mazes of these dimensions; ``three_or_more`` are those with room for a cycle
    beside an island."""
    any_shape = st.one_of(roomy, long)
    return {
        "way": trees(roomy),
        "cycles": changed(trees(roomy), _some_passages),
        "no way": st.one_of(
            changed(trees(any_shape), _no_exit),
            changed(trees(any_shape), edits.cut_off),
            changed(trees(roomy), _no_exit, edits.with_cycle_in_reach),
            changed(trees(three_or_more), edits.cut_off, edits.with_cycle_in_reach),
        ),
        "shapes": trees(long),
        "perfect": trees(roomy),
        "extra passage": changed(trees(roomy), _one_passage),
        "missing passage": changed(trees(roomy), _one_wall),
        "cycle and island": changed(trees(three_or_more), edits.with_cycle_and_island),
        "long perfect": trees(long, exits=False),
        "long imperfect": changed(trees(long, exits=False), _one_wall),
    }


ROOMY = dimensions(2, 6)
ANY = st.one_of(ROOMY, long_dimensions())
LARGER = st.one_of(dimensions(4, 12), dimensions(8, 20))
LARGER_LONG = long_dimensions(20, (11, 20))

FAMILIES = _families(ROOMY, dimensions(3, 6), long_dimensions())
"""What the checks draw from: small mazes, which show most mistakes."""
ORDINARY = _families(LARGER, LARGER, LARGER_LONG)
"""Mazes such as students try, of any shape up to 20 x 20: some show mistakes that small ones hide."""
ORDINARY_ANY = st.one_of(LARGER, LARGER_LONG)


def draw_mazes(family: str, count: int, seed: int, *, is_ordinary: bool) -> list[str]:
    """Return the texts of mazes of a family, small ones or ordinary ones."""
    mazes = (ORDINARY if is_ordinary else FAMILIES)[family]
    return [*draw(mazes.map(Maze.to_text), count, seed, size=len)]


def draw_sizes(count: int, seed: int, *, is_ordinary: bool) -> list[tuple[int, int, int]]:
    """Return rows, columns and a small seed for mazes to be generated."""
    pairs = st.tuples(ORDINARY_ANY if is_ordinary else ANY, SEEDS)
    drawn = pairs.map(lambda pair: (pair[0].row_count, pair[0].column_count, pair[1] % 1000))
    return [*draw(drawn, count, seed, size=lambda each: each[0] * each[1])]
