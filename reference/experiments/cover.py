"""How many steps does Aldous-Broder take to visit every cell of a grid, compared with Wilson's algorithm?

The walk ends when it has covered the grid: in the best case with one step per new cell, and there is no worst
case. On a square grid of n cells the average grows like n times the square of log n, since the last cells are
hard to find (A. Dembo, Y. Peres, J. Rosen, O. Zeitouni, "Cover times for Brownian motion and random walks in
two dimensions", Annals of Mathematics 160, 2004). Wilson's algorithm makes the same mazes in fewer steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from lab import Dimension, Factory, Generator
from lab.generators import AldousBroder
from lab.render.plot import drawing
from reference.experiments.results import Cell, Table
from reference.generators.wilson import Wilson

_ALGORITHMS: Final[dict[str, tuple[Callable[[Random], Generator], int]]] = {
    "Aldous-Broder": (AldousBroder, 0),
    "Wilson": (Wilson, 1),
}
"""Each algorithm, with its draws that are not steps: Wilson's algorithm draws where the tree begins."""
_MARKERS: Final = {"Aldous-Broder": "o", "Wilson": "s"}


def measure(*, sizes: Sequence[int], mazes: int, seed: int) -> Table:
    """Return the least, the median and the most steps of each algorithm, by the size of the grid."""
    counted = [f"{name}, {what}" for name in _ALGORITHMS for what in ("least", "median", "most")]
    rows: list[tuple[Cell, ...]] = []
    for size in sizes:
        cells = size * size
        rows.append((f"{size} x {size}", cells, *_steps(size, mazes, seed), round(cells * log(cells) ** 2)))
    return Table(("size", "cells", *counted, "n log²n"), tuple(rows))


def plot(table: Table, path: Path) -> None:
    """Plot the steps by the number of cells, both on logarithmic scales. Raises MissingPackage or OSError."""
    cells = table.column("cells")
    with drawing(path, salt=path.stem) as axes:
        axes.plot(cells, table.column("n log²n"), "k:", label="n log²n")
        for name, marker in _MARKERS.items():
            least, middle, most = (table.column(f"{name}, {what}") for what in ("least", "median", "most"))
            (line,) = axes.plot(cells, middle, f"{marker}-", label=f"{name}: median, from least to most")
            axes.fill_between(cells, least, most, color=line.get_color(), alpha=0.2)
        axes.set(xscale="log", yscale="log", xlabel="n, the cells of the grid", ylabel="steps")
        axes.set_title("Steps until every cell is part of the maze")
        axes.legend()
        axes.grid(visible=True, alpha=0.3)


def _steps(size: int, mazes: int, seed: int) -> list[float]:
    """Return the least, the median and the most steps of one algorithm after the other."""
    found: list[float] = []
    for name, (make, others) in _ALGORITHMS.items():
        counts = [
            _draws(make, size, _CountingRandom(f"{seed} {name} {size} {number}")) - others
            for number in range(mazes)
        ]
        found += [min(counts), median(counts), max(counts)]
    return found


def _draws(make: Callable[[Random], Generator], size: int, rng: _CountingRandom) -> int:
    make(rng).generate(Factory(), Dimension(size, size))
    return rng.draws


class _CountingRandom(Random):
    """Counts calls of ``random()``, which both algorithms make once per step."""

    draws = 0

    def random(self) -> float:
        self.draws += 1
        return super().random()

    def getrandbits(self, k: int) -> int:
        """Return random bits without counting: whole numbers are drawn from them."""
        return super().getrandbits(k)
