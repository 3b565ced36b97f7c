"""Never ends where there is no way to the exit."""

from __future__ import annotations

from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Sight, by_endings, without_a_way


def _out_of_reach(sight: Sight) -> bool:
    return without_a_way(sight) and sight.maze.has_exit()


MODEL = Model(
    name="waits-without-a-way",
    exercises=SOLVERS,
    explains=by_endings("endless", without_a_way, _out_of_reach),
    hints={
        "en": (
            "Your solver never ends where there is no way to the exit. Its loop waits for something: "
            "what, and what else could happen first?"
        ),
        "nb": (
            "Løseren din slutter aldri der det ikke finnes noen vei til utgangen. Løkken venter på "
            "noe: hva, og hva annet kunne skje først?"
        ),
    },
)
