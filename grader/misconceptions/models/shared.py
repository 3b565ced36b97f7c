"""All searches share their cells."""

from __future__ import annotations

from grader.misconceptions.model import Model
from grader.misconceptions.scripts import RIGHT, by_rules

MODEL = Model(
    name="shared",
    exercises=("search",),
    explains=by_rules(RIGHT, shared=True),
    hints={
        "en": (
            "Two searches find each other's cells. Where are your lists and dictionaries made: in the "
            "class, once for all, or in __init__, for each search?"
        ),
        "nb": (
            "To søk finner hverandres celler. Hvor lages listene og ordbøkene dine: i klassen, én "
            "gang for alle, eller i __init__, for hvert søk?"
        ),
    },
)
