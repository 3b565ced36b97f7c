"""Marks no cell as visited, or remembers only the cell it came from: walks in circles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from grader.misconceptions.answers import features_of
from grader.misconceptions.exploring import Ends, Node, Style, always, never, right_styles
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Sight, by_styles, is_right, without_a_way
from lab import Maze, Vector

ENOUGH = 8
"""So many ways have to be right."""


def _not_back(ends: Ends) -> Ends:
    def other_ends(maze: Maze, node: Node) -> list[Vector]:
        back = node.by.cell if node.by else None
        return [cell for cell in ends(maze, node) if cell != back]

    return other_ends


def _styles(exercise: str) -> Iterator[Style]:
    for style in right_styles(exercise):
        unmarked = replace(style, note=always, again=never)
        yield unmarked
        yield replace(unmarked, ends=_not_back(style.ends))


def _walks_in_circles(sight: Sight) -> bool:
    """A cycle is in reach of the entry."""
    return not features_of(sight.text).acyclic_in_reach


def _walks_to_and_fro(sight: Sight) -> bool:
    """There is any move to make, and to take back."""
    return bool(sight.maze.valid_moves_at(sight.maze.entry))


def _endless_by(circles: Callable[[Sight], bool]) -> Callable[[str, Sequence[Sight]], bool]:
    """The model by its endings alone, for when it is luck which way comes of so many.

    Without a way the solver is endless just where it can walk in circles. With a way it may be, and
    is in some maze; it is right where it comes to an end.
    """

    def explains(exercise: str, sights: Sequence[Sight]) -> bool:
        if not all(_ends_so(exercise, sight, circles(sight)) for sight in sights):
            return False
        lost = [without_a_way(sight) for sight in sights if sight.ending != "returned"]
        ended = [sight for sight in sights if sight.ending == "returned" and not without_a_way(sight)]
        return any(lost) and not all(lost) and len(ended) >= ENOUGH

    return explains


def _ends_so(exercise: str, sight: Sight, circles: bool) -> bool:
    if sight.ending in ("endless", "too deep"):
        return circles
    return is_right(exercise, sight) and not (circles and without_a_way(sight))


_by_styles = by_styles(_styles)
_by_endings = (_endless_by(_walks_in_circles), _endless_by(_walks_to_and_fro))


def _explains(exercise: str, sights: Sequence[Sight]) -> bool:
    return _by_styles(exercise, sights) or any(explains(exercise, sights) for explains in _by_endings)


MODEL = Model(
    name="forgets-to-mark",
    exercises=SOLVERS,
    explains=_explains,
    hints={
        "en": (
            "Your solver comes back to cells where it has been, so it walks in circles. How does it "
            "know, at a cell, that it has been there before: not only one step ago, but at any time?"
        ),
        "nb": (
            "Løseren din kommer tilbake til celler den har vært i, så den går i ring. Hvordan vet "
            "den, i en celle, at den har vært der før: ikke bare for ett steg siden, men når som "
            "helst?"
        ),
    },
)
