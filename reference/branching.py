"""Moler's exercise: how does the choice of the branch affect the average length of the way?

Each way to choose makes the same number of square mazes of each size; the way leads from corner to
corner. The intervals cover the true average in 95 of 100 experiments, as the averages of many
independent mazes are close to normal.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from lab import Dimension, Factory
from lab.render.plot import drawing
from lab.texture import solution
from reference.generators.moler_walk import BRANCHINGS, MolerWalk

_NORMAL_95: Final = 1.96
_MARKERS: Final = {"first": "o-", "middle": "s--", "last": "^:"}


class Average(NamedTuple):
    """The average length of the way, in moves, and how far the truth may lie from it."""

    branching: str
    size: int
    length: float
    margin: float


def measure(sizes: Sequence[int], *, mazes: int, seed: int) -> list[Average]:
    """Measure every branching at every size over this many mazes, at least two."""
    if mazes < 2:
        raise ValueError(f"mazes: expected at least 2, as one maze has no spread, got {mazes}")
    return [
        _average(branching, size, mazes=mazes, rng=Random(f"{seed} {branching} {size}"))
        for branching in BRANCHINGS
        for size in sizes
    ]


def _average(branching: str, size: int, *, mazes: int, rng: Random) -> Average:
    generator = MolerWalk(rng, branching=branching)
    factory, dimension = Factory(), Dimension(size, size)
    lengths = [len(solution(generator.generate(factory, dimension))) for _ in range(mazes)]
    return Average(branching, size, fmean(lengths), _NORMAL_95 * stdev(lengths) / sqrt(mazes))


def table(averages: Sequence[Average]) -> str:
    """Write the averages with their margins, a line for each size."""
    found = {(one.branching, one.size): one for one in averages}
    sizes = dict.fromkeys(one.size for one in averages)
    lines = ["   size" + "".join(f"{branching:>20}" for branching in BRANCHINGS)]
    for size in sizes:
        cells = (found[branching, size] for branching in BRANCHINGS)
        texts = (f"{one.length:.1f} \N{PLUS-MINUS SIGN} {one.margin:.1f}" for one in cells)
        lines.append(f"{size:>3}x{size:<3}" + "".join(f"{text:>20}" for text in texts))
    return "\n".join(lines)


def plot(averages: Sequence[Average], path: str | Path, *, mazes: int) -> None:
    """Write a plot of the averages with their intervals. Raises MissingPackage or OSError."""
    with drawing(Path(path), salt="branching") as axes:
        for branching in BRANCHINGS:
            points = [one for one in averages if one.branching == branching]
            axes.errorbar(
                [one.size for one in points],
                [one.length for one in points],
                yerr=[one.margin for one in points],
                fmt=_MARKERS[branching],
                capsize=3,
                label=f"the {branching} branch",
            )
        axes.set_xlabel("rows and columns")
        axes.set_ylabel("average length of the way, in moves")
        axes.set_title(
            f"Moler's mazes by the branch that is gone back to\n({mazes} mazes each, 95 % intervals)"
        )
        axes.legend()
        axes.grid(visible=True, alpha=0.3)
