"""Goes on when the exit has been reached, until every cell was visited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grader.misconceptions.exploring import Style, never, right_styles
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, by_styles


def _styles(exercise: str) -> Iterator[Style]:
    return (replace(style, stop_taken=never, stop_found=never) for style in right_styles(exercise))


MODEL = Model(
    name="does-not-stop",
    exercises=SOLVERS,
    explains=by_styles(_styles),
    hints={
        "en": (
            "Your solver finds a right way, but goes on searching when it has reached the exit. What "
            "would tell it, at the exit, that it is done?"
        ),
        "nb": (
            "Løseren din finner en riktig vei, men leter videre etter at den har nådd utgangen. Hva "
            "kunne fortelle den, ved utgangen, at den er ferdig?"
        ),
    },
)
