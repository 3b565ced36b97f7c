"""Lets one passage too many pass."""

from __future__ import annotations

from grader.misconceptions.answers import by_features
from grader.misconceptions.model import Model

MODEL = Model(
    name="tolerates-one-more",
    exercises=("perfection",),
    explains=by_features(
        lambda maze: maze.connected and len(maze.edges) <= len(maze.cells),
        lambda maze: len(maze.edges) == len(maze.cells),
        lambda maze: maze.connected and len(maze.edges) == len(maze.cells),
    ),
    hints={
        "en": (
            "Your checker is off by one in the number of passages. Draw perfect mazes of one, two and "
            "three cells: how many passages does each have?"
        ),
        "nb": (
            "Sjekkeren din bommer med én på antallet passasjer. Tegn perfekte labyrinter med én, to "
            "og tre celler: hvor mange passasjer har hver av dem?"
        ),
    },
)
