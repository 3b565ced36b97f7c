"""Fails in a maze without an exit."""

from __future__ import annotations

from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Sight, by_endings


def _no_exit(sight: Sight) -> bool:
    return not sight.maze.has_exit()


MODEL = Model(
    name="needs-an-exit",
    exercises=SOLVERS,
    explains=by_endings("raised", _no_exit),
    hints={
        "en": (
            "Your solver stops with an error in mazes that have no exit. What does a maze give as its "
            "exit when there is none, and what does your code do with that?"
        ),
        "nb": (
            "Løseren din stopper med en feil i labyrinter uten utgang. Hva gir en labyrint som utgang "
            "når den ikke har noen, og hva gjør koden din med det?"
        ),
    },
)
