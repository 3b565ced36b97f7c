"""Says True for False and False for True."""

from __future__ import annotations

from grader.misconceptions.answers import by_features
from grader.misconceptions.model import Model

MODEL = Model(
    name="turned-round",
    exercises=("perfection",),
    explains=by_features(lambda maze: not maze.perfect),
    hints={
        "en": (
            "Your checker knows the answer, and says the opposite. What does the value mean that you "
            "return: that the maze is perfect, or that something is wrong with it?"
        ),
        "nb": (
            "Sjekkeren din vet svaret og sier det motsatte. Hva betyr verdien du returnerer: at "
            "labyrinten er perfekt, eller at noe er galt med den?"
        ),
    },
)
