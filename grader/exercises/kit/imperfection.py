"""What makes a maze imperfect: unreachable cells, or a cycle."""

from __future__ import annotations

from grader.exercises.kit.facts import Facts
from grader.languages import Message, said
from grader.model import Telling
from lab import Vector


def shape(facts: Facts) -> dict[str, Telling]:
    """Return what makes a maze imperfect, as cells for the picture."""
    return {"cycle": _cells(facts.cycle), "unreachable": _cells(facts.islands)}


def why_imperfect(facts: Facts) -> Message:
    """Say in words what makes a maze imperfect."""
    cycle = said("cycle")
    if not facts.islands:
        return cycle
    count = len(facts.islands)
    islands = said("cell_out_of_reach") if count == 1 else said("cells_out_of_reach", count=count)
    return said("both_flaws", flaw=cycle, other_flaw=islands) if facts.cycle else islands


def _cells(cells: tuple[Vector, ...]) -> list[list[int]]:
    return [list(cell) for cell in cells]
