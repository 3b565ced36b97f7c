"""Returns something else than a maze."""

from __future__ import annotations

from grader.misconceptions.made import Sight, by_calls
from grader.misconceptions.model import Model


def _nothing(sight: Sight) -> bool:
    return sight.ending == "returned" and set(sight.kinds) <= {"none", "other", "vectors"}


MODEL = Model(
    name="returns-no-maze",
    exercises=("generator",),
    explains=by_calls(_nothing),
    hints={
        "en": (
            "generate gives back something else than a maze. What stands behind return, and is there "
            "a return on every way through the method?"
        ),
        "nb": (
            "generate gir tilbake noe annet enn en labyrint. Hva står bak return, og er det en return "
            "på hver vei gjennom metoden?"
        ),
    },
)
