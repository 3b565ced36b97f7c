"""Gives the same answer whatever the maze."""

from __future__ import annotations

from grader.misconceptions.answers import by_features
from grader.misconceptions.model import Model

MODEL = Model(
    name="always-the-same",
    exercises=("perfection",),
    explains=by_features(lambda _maze: True, lambda _maze: False),
    hints={
        "en": (
            "Your checker gives the same answer for every maze. Find the line where it could give the "
            "other one: what has to be true to get there, and can it ever be?"
        ),
        "nb": (
            "Sjekkeren din gir det samme svaret for alle labyrinter. Finn linjen der den kunne gi det "
            "andre: hva må være sant for å komme dit, og kan det noen gang være det?"
        ),
    },
)
