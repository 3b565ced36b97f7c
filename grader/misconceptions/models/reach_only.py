"""Asks only whether every cell can be reached."""

from __future__ import annotations

from grader.misconceptions.answers import by_features
from grader.misconceptions.model import Model

MODEL = Model(
    name="reach-only",
    exercises=("perfection",),
    explains=by_features(lambda maze: maze.connected),
    hints={
        "en": (
            "Your checker finds out whether every cell can be reached. That is one half of being "
            "perfect. What is the other, and how would your search notice it?"
        ),
        "nb": (
            "Sjekkeren din finner ut om alle celler kan nås. Det er den ene halvdelen av å være "
            "perfekt. Hva er den andre, og hvordan ville søket ditt merke det?"
        ),
    },
)
