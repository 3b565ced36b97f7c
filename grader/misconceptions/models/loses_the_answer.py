"""Finds the exit, but the answer does not come back through the recursion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grader.misconceptions.exploring import Journey, Node, Style, in_reverse, never, right_styles
from grader.misconceptions.model import Model
from grader.misconceptions.sights import Sight, by_styles
from lab import Maze, Vector


def _nothing(sight: Sight, made: Journey) -> bool:
    """Only the first call gives its answer, and that is the one in the entry."""
    return sight.kind == "none" if made.cells is None or len(made.cells) > 1 else sight.moves == ()


def _styles(exercise: str) -> Iterator[Style]:
    return (
        replace(style, ends=_not_beyond, stop_taken=never, stop_found=never)
        for style in right_styles(exercise)
    )


def _not_beyond(maze: Maze, node: Node) -> list[Vector]:
    return [] if node.cell == maze.exit else in_reverse(maze, node)


MODEL = Model(
    name="loses-the-answer",
    exercises=("dfs",),
    explains=by_styles(_styles, _nothing),
    hints={
        "en": (
            "Your solver comes to the exit, and then says that there is no way. The call that stands "
            "at the exit gives its answer to the call before it: what does that one do with it?"
        ),
        "nb": (
            "Løseren din kommer til utgangen og sier så at det ikke finnes noen vei. Kallet som står "
            "ved utgangen, gir svaret sitt til kallet før: hva gjør det med svaret?"
        ),
    },
)
