"""Stops with an error where there is no way to the exit."""

from __future__ import annotations

from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Sight, by_endings, without_a_way


def _out_of_reach(sight: Sight) -> bool:
    return without_a_way(sight) and sight.maze.has_exit()


MODEL = Model(
    name="fails-without-a-way",
    exercises=SOLVERS,
    explains=by_endings("raised", without_a_way, _out_of_reach),
    hints={
        "en": (
            "Your solver stops with an error where there is no way to the exit. At some time every "
            "cell in reach has been visited: what does your code try to take, or look up, then?"
        ),
        "nb": (
            "Løseren din stopper med en feil der det ikke finnes noen vei til utgangen. Før eller "
            "siden er alle cellene den kan nå, besøkt: hva prøver koden din å ta, eller slå opp, da?"
        ),
    },
)
