"""Takes the way back for a cycle, or counts each passage from both of its sides."""

from __future__ import annotations

from grader.misconceptions.answers import by_features
from grader.misconceptions.model import Model

MODEL = Model(
    name="finds-fault-everywhere",
    exercises=("perfection",),
    explains=by_features(
        lambda maze: len(maze.cells) == 1,
        lambda maze: 2 * len(maze.edges) == len(maze.cells) - 1,
        lambda maze: 2 * len(maze.edges) == len(maze.cells) - 1 and maze.connected,
    ),
    hints={
        "en": (
            "Your checker finds fault with every maze of two cells or more. Take two cells with a "
            "passage between them, and look at it from the one cell and then from the other: does "
            "your code take the same passage, or the way back, for something new?"
        ),
        "nb": (
            "Sjekkeren din finner feil ved hver labyrint med to celler eller flere. Ta to celler med "
            "en passasje mellom, og se på den fra den ene cellen og så fra den andre: tar koden din "
            "den samme passasjen, eller veien tilbake, for noe nytt?"
        ),
    },
)
