"""Of equally close cells, takes the one that comes first by row and column."""

from __future__ import annotations

from grader.misconceptions.exploring import Node, State, in_order, in_reverse, with_take
from grader.misconceptions.model import Model
from grader.misconceptions.sights import by_styles


def _by_position(state: State) -> Node:
    pending = state.pending
    return pending.pop(min(range(len(pending)), key=lambda at: (pending[at].cost, pending[at].cell)))


MODEL = Model(
    name="ties-by-position",
    exercises=("bfs", "dijkstra"),
    explains=by_styles(lambda exercise: with_take(exercise, _by_position, in_order, in_reverse)),
    hints={
        "en": (
            "The distances are right, but among cells that are equally close your solver takes the "
            "one with the smallest row and column. What does your code compare when two cells are "
            "equally close, and what would tell the one found earlier from the one found later?"
        ),
        "nb": (
            "Avstandene er riktige, men blant celler som er like nær, tar løseren din den med minst "
            "rad og kolonne. Hva sammenligner koden din når to celler er like nær, og hva kunne "
            "skille den som ble funnet først, fra den som kom senere?"
        ),
    },
)
