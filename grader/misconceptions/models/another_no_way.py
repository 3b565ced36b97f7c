"""Says that there is no way with something else than None."""

from __future__ import annotations

from grader.misconceptions.exploring import Journey
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Sight, by_answers, gives_the_way


def _another_word(sight: Sight, made: Journey) -> bool:
    if made.cells is not None:
        return gives_the_way(sight, made)
    return sight.kind in ("bool", "int", "other", "vector") or sight.moves == ()


MODEL = Model(
    name="another-no-way",
    exercises=SOLVERS,
    explains=by_answers(_another_word),
    hints={
        "en": (
            "Your solver notices when there is no way, but says so in words of its own. What does the "
            "task ask it to return then, and how would a caller tell your answer from the way of a "
            "maze where entry and exit are one cell?"
        ),
        "nb": (
            "Løseren din merker når det ikke finnes noen vei, men sier det på sin egen måte. Hva ber "
            "oppgaven om at den skal returnere da, og hvordan skulle den som kaller, skille svaret "
            "ditt fra en vei uten trekk?"
        ),
    },
)
