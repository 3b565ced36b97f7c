"""Of equally close cells, takes the one that was found last."""

from __future__ import annotations

from grader.misconceptions.exploring import Node, State, in_order, with_take
from grader.misconceptions.model import Model
from grader.misconceptions.sights import by_styles


def _latest(state: State) -> Node:
    pending = state.pending
    return pending.pop(min(range(len(pending)), key=lambda at: (pending[at].cost, -at)))


MODEL = Model(
    name="latest-of-equals",
    exercises=("bfs", "dijkstra"),
    explains=by_styles(lambda exercise: with_take(exercise, _latest, in_order)),
    hints={
        "en": (
            "The distances are right, but among cells that are equally close your solver takes the "
            "one that was found last. When two cells tie, which of them does your comparison keep: "
            "the one it already has, or the new one?"
        ),
        "nb": (
            "Avstandene er riktige, men blant celler som er like nær, tar løseren din den som ble "
            "funnet sist. Når to celler er like, hvilken beholder sammenligningen din: den den "
            "allerede har, eller den nye?"
        ),
    },
)
