"""Counts passages, and looks at nothing else."""

from __future__ import annotations

from grader.misconceptions.answers import by_features
from grader.misconceptions.model import Model

MODEL = Model(
    name="counts-passages-only",
    exercises=("perfection",),
    explains=by_features(lambda maze: len(maze.edges) == len(maze.cells) - 1),
    hints={
        "en": (
            "Your checker counts passages. A maze can have just as many as a perfect one, and yet "
            "fall apart: draw one with a cycle in it. What else has to be looked at?"
        ),
        "nb": (
            "Sjekkeren din teller passasjer. En labyrint kan ha akkurat like mange som en perfekt og "
            "likevel falle fra hverandre: tegn en med en sykel i. Hva mer må man se på?"
        ),
    },
)
