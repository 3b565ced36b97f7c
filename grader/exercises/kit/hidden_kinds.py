"""The kind of case on which a hidden check failed: a word from a short list, and nothing about the maze
itself.

Code that has seen hidden mazes may choose which of them it gets wrong, and so which word is shown: less than
four bits per check (docs/security.md).
"""

from __future__ import annotations

from typing import Final

from grader.exercises.kit.check import Case
from grader.exercises.kit.facts import Facts
from lab import Dimension

LARGE: Final = 24 * 24
"""From this many cells on, a maze or a dimension is called large."""
LONG: Final = 100
"""From this many cells on, a single row or column is called a long dimension."""

_FORMS: Final = ("narrow", "room", "cycles", "no_cycle", "no_way")
KINDS: Final = (
    *(f"{size}{form}" for size in ("", "large_") for form in _FORMS),
    *("no_exit", "islands", "cycle_and_islands", "long_dimension", "large_dimension"),
)
"""All words that may be said."""


def of_a_way(case: Case) -> str:
    """Return what a solver meets: no way, a room, cycles, or no cycles."""
    if not isinstance(case.given, Facts):
        return ""
    facts = case.given
    if facts.maze.exit is None:
        return "no_exit"
    return _size(facts) + ("no_way" if facts.length is None else _form(facts))


def of_a_graph(case: Case) -> str:
    """Return what makes a maze perfect, or not."""
    if not isinstance(case.given, Facts):
        return ""
    facts = case.given
    if not facts.islands:
        return _size(facts) + _form(facts)
    return "cycle_and_islands" if facts.cycle else "islands"


def of_a_dimension(dimension: Dimension) -> str:
    """Return what is special about a dimension; usually nothing."""
    if _is_narrow(dimension):
        return "long_dimension" if dimension.position_count >= LONG else ""
    return "large_dimension" if dimension.position_count >= LARGE else ""


def _form(facts: Facts) -> str:
    if _is_narrow(facts.dimension):
        return "narrow"
    rows, columns = facts.dimension.row_count, facts.dimension.column_count
    if facts.passage_count == rows * (columns - 1) + columns * (rows - 1):
        return "room"
    return "cycles" if facts.cycle else "no_cycle"


def _size(facts: Facts) -> str:
    return "large_" if facts.dimension.position_count >= LARGE else ""


def _is_narrow(dimension: Dimension) -> bool:
    return 1 in (dimension.row_count, dimension.column_count)
