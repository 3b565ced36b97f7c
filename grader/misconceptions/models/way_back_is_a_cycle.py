"""Takes the way back to where it came from for a cycle."""

from __future__ import annotations

from grader.misconceptions.answers import by_features
from grader.misconceptions.model import Model

MODEL = Model(
    name="way-back-is-a-cycle",
    exercises=("perfection",),
    explains=by_features(lambda maze: len(maze.cells) == 1),
    hints={
        "en": (
            "Your checker sees a cycle in every passage. From a cell you always see the one that you "
            "came from: how do you tell it from a cell that closes a cycle?"
        ),
        "nb": (
            "Sjekkeren din ser en sykel i hver passasje. Fra en celle ser du alltid den du kom fra: "
            "hvordan skiller du den fra en celle som lukker en sykel?"
        ),
    },
)
