"""Measure a generator's mazes, and compare the figures with those of the lab's own generator."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from grader.feedback.views import GalleryMaze
from lab import Dimension, Factory
from lab.generators import AldousBroder
from lab.texture import MEASURES, Texture, average, texture

SAMPLES = 12
"""How many mazes of each size the lab's generator makes for comparison."""
CELLS_LIMIT = 1_000
"""Larger mazes are not measured, since the lab's generator is slow on them."""
_SHARES = ("dead_ends", "branching")

Figures = list[tuple[str, float]]
"""Measures with their values, shares in percent; the names are catalogue keys."""


def compare_with_lab(gallery: Sequence[GalleryMaze]) -> tuple[Figures, Figures] | None:
    """Return the figures of these mazes, and those of the lab's generator for the same dimensions.

    None if a maze is not perfect, or has no exit: the figures would be meaningless.
    """
    mazes = [item.maze for item in gallery if item.maze.dimension.position_count <= CELLS_LIMIT]
    if not mazes:
        return None
    try:
        theirs = average(map(texture, mazes))
    except ValueError:
        return None
    return _figures(theirs), _figures(_lab_figures(tuple(maze.dimension for maze in mazes)))


@lru_cache(maxsize=16)
def _lab_figures(sizes: tuple[Dimension, ...]) -> Texture:
    """Return the lab generator's figures for these dimensions, the same for all submissions."""
    generator, factory = AldousBroder(Random(1)), Factory()
    return average(texture(generator.generate(factory, size)) for size in sizes for _ in range(SAMPLES))


def _figures(measured: Texture) -> Figures:
    values = ((name, getattr(measured, name)) for name in MEASURES)
    return [(name, 100 * value if name in _SHARES else value) for name, value in values]
