"""Every generator on a maze of 1,000 x 1,000 cells; Aldous-Broder, slow by nature, on 100 x 100."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from benchmarks.clock import line, seconds, yardstick
from lab import Dimension, Factory, Generator
from reference.generators.registry import GENERATORS

SIZE = 1_000
SMALLER = {"Aldous-Broder": 100}


def main() -> None:
    """Print what a maze of each generator costs."""
    unit = yardstick()
    print(line("a perfect maze", "seconds", "yardsticks"))
    for name, make in GENERATORS.items():
        size = SMALLER.get(name, SIZE)
        work = partial(_generate, make, Dimension(size, size))
        taken = seconds(work, runs=1)
        print(line(f"{name}, {size} x {size}", f"{taken:.2f}", f"{taken / unit:.1f}"))


def _generate(make: Callable[[Random], Generator], dimension: Dimension) -> None:
    make(Random(1)).generate(Factory(), dimension)


if __name__ == "__main__":
    main()
