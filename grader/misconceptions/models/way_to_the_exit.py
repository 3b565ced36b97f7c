"""Asks only whether there is a way from the entry to the exit."""

from __future__ import annotations

from grader.misconceptions.answers import Features, by_features
from grader.misconceptions.model import Model


def _is_out(maze: Features) -> bool:
    return maze.maze.exit is None or maze.maze.exit in maze.reached


MODEL = Model(
    name="way-to-the-exit",
    exercises=("perfection",),
    explains=by_features(
        lambda maze: maze.maze.exit in maze.reached,
        lambda maze: _is_out(maze) and len(maze.edges) == len(maze.cells) - 1,
        lambda maze: _is_out(maze) and maze.acyclic_in_reach,
    ),
    hints={
        "en": (
            "Your checker asks whether the exit can be reached. Being perfect is about all cells: "
            "does it matter at all where entry and exit are?"
        ),
        "nb": (
            "Sjekkeren din spør om utgangen kan nås. Å være perfekt handler om alle celler: spiller "
            "det i det hele tatt noen rolle hvor inngangen og utgangen er?"
        ),
    },
)
