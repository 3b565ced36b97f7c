"""Measure processor time, the best of several runs, relative to a yardstick of the same machine."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time


def seconds(work: Callable[[], object], *, runs: int = 3) -> float:
    """Return the processor time of the quickest run."""
    return min(_once(work) for _ in range(runs))


def yardstick() -> float:
    """Return the seconds that ten million additions in a plain loop take here."""

    def add() -> int:
        total = 0
        for number in range(10_000_000):
            total += number
        return total

    return seconds(add, runs=5)


def _once(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start


def line(name: str, figure: str, ratio: str) -> str:
    """Write a line of a table."""
    return f"{name:<44}{figure:>14}{ratio:>14}"
