"""Marks no cell as visited, or remembers only the cell it came from: walks in circles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grader.misconceptions.exploring import Ends, Node, Style, always, never, right_styles
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, by_styles
from lab import Maze, Vector


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


MODEL = Model(
    name="forgets-to-mark",
    exercises=SOLVERS,
    explains=by_styles(_styles),
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
