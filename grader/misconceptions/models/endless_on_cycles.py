"""Never ends on a maze with a cycle."""

from __future__ import annotations

from grader.misconceptions.answers import Features, by_features
from grader.misconceptions.model import Model


def _answer(maze: Features) -> bool | str:
    return maze.connected if maze.acyclic_in_reach else "endless"


def _deep(maze: Features) -> bool | str:
    return maze.connected if maze.acyclic_in_reach else "deep"


MODEL = Model(
    name="endless-on-cycles",
    exercises=("perfection",),
    explains=by_features(_answer, _deep),
    hints={
        "en": (
            "Your checker never comes to an end in a maze with a cycle. How does it know that it has "
            "been at a cell before, and what does it mean for the answer when it has?"
        ),
        "nb": (
            "Sjekkeren din blir aldri ferdig i en labyrint med en sykel. Hvordan vet den at den har "
            "vært i en celle før, og hva betyr det for svaret når den har det?"
        ),
    },
)
