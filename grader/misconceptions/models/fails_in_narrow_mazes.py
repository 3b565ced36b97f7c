"""Stops with an error where there is only one row or column."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.misconceptions.made import Sight
from grader.misconceptions.model import Model


def _only_where(is_hard: Callable[[Sight], bool]) -> Callable[[Sight], bool]:
    return lambda sight: sight.ending == "raised" if is_hard(sight) else sight.fits


_HARD: tuple[Callable[[Sight], bool], ...] = (
    lambda sight: sight.rows == 1,
    lambda sight: sight.columns == 1,
    lambda sight: 1 in (sight.rows, sight.columns),
    lambda sight: sight.rows * sight.columns == 2,
)


def _explains(_exercise: str, sights: Sequence[Sight]) -> bool:
    failed = any(sight.ending == "raised" for sight in sights)
    return failed and any(all(map(_only_where(is_hard), sights)) for is_hard in _HARD)


MODEL = Model(
    name="fails-in-narrow-mazes",
    exercises=("generator",),
    explains=_explains,
    hints={
        "en": (
            "Your generator stops with an error where a maze has only one row or one column. Which of "
            "your steps takes for granted that there are two, and what is there to choose from when "
            "there are not?"
        ),
        "nb": (
            "Generatoren din stopper med en feil der en labyrint har bare én rad eller én kolonne. "
            "Hvilket av stegene dine tar for gitt at det er to, og hva er det å velge mellom når det "
            "ikke er det?"
        ),
    },
)
