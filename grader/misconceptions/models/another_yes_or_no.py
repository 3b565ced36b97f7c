"""Answers with something else than True and False."""

from __future__ import annotations

from collections.abc import Sequence

from grader.misconceptions.answers import Sight
from grader.misconceptions.model import Model


def _explains(_exercise: str, sights: Sequence[Sight]) -> bool:
    """Perfect mazes get other answers than the rest, and not all of them are bools."""
    yes = {(sight.answer, sight.value) for sight in sights if sight.features.perfect}
    no = {(sight.answer, sight.value) for sight in sights if not sight.features.perfect}
    kinds = {answer for answer, _ in yes | no}
    told_apart = bool(yes and no) and not yes & no
    return told_apart and kinds <= _ANSWERS and not kinds <= {"True", "False"}


_ANSWERS = {"True", "False", "none", "int", "other", "vectors"}
"""What a call can give back; errors and endless loops are no answers."""


MODEL = Model(
    name="another-yes-or-no",
    exercises=("perfection",),
    explains=_explains,
    hints={
        "en": (
            "Your checker tells perfect mazes from others, but does not answer with True and False. "
            "Of which type is what you return, in each of the two cases?"
        ),
        "nb": (
            "Sjekkeren din skiller perfekte labyrinter fra andre, men svarer ikke med True og False. "
            "Hvilken type har det du returnerer, i hvert av de to tilfellene?"
        ),
    },
)
