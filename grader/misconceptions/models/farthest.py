"""Takes the farthest pending cell instead of the closest."""

from __future__ import annotations

from grader.misconceptions.exploring import Node, State, in_order, with_take
from grader.misconceptions.model import Model
from grader.misconceptions.sights import by_styles


def _first_of_the_farthest(state: State) -> Node:
    return state.pending.pop(max(range(len(state.pending)), key=lambda at: (state.pending[at].cost, -at)))


def _last_of_the_farthest(state: State) -> Node:
    return state.pending.pop(max(range(len(state.pending)), key=lambda at: (state.pending[at].cost, at)))


MODEL = Model(
    name="farthest",
    exercises=("dijkstra",),
    explains=by_styles(
        lambda exercise: (
            style
            for take in (_first_of_the_farthest, _last_of_the_farthest)
            for style in with_take(exercise, take, in_order)
        )
    ),
    hints={
        "en": (
            "Your solver goes on from the pending cell that is farthest from the entry. Walk through "
            "the comparison with two cells at distances 1 and 5: which of them does it keep?"
        ),
        "nb": (
            "Løseren din fortsetter fra den ventende cellen som er lengst fra inngangen. Gå gjennom "
            "sammenligningen med to celler i avstand 1 og 5: hvilken av dem beholder den?"
        ),
    },
)
