"""Asks only whether there is a cycle."""

from __future__ import annotations

from grader.misconceptions.answers import by_features
from grader.misconceptions.model import Model

MODEL = Model(
    name="cycles-only",
    exercises=("perfection",),
    explains=by_features(lambda maze: maze.acyclic, lambda maze: maze.acyclic_in_reach),
    hints={
        "en": (
            "Your checker looks for cycles. That is one half of being perfect. When your search is "
            "over, how do you know that it has been everywhere?"
        ),
        "nb": (
            "Sjekkeren din leter etter sykler. Det er den ene halvdelen av å være perfekt. Når søket "
            "er over, hvordan vet du at det har vært overalt?"
        ),
    },
)
