"""Takes from the other end of the pending cells: a DFS that is a BFS, and the reverse."""

from __future__ import annotations

from collections.abc import Iterator

from grader.misconceptions.exploring import Style, closest, first, in_order, in_reverse, last, with_take
from grader.misconceptions.model import Model
from grader.misconceptions.sights import by_styles

_TAKES = {"dfs": (first, closest), "bfs": (last,)}


def _styles(exercise: str) -> Iterator[Style]:
    for take in _TAKES[exercise]:
        yield from with_take(exercise, take, in_order, in_reverse)


MODEL = Model(
    name="other-end",
    exercises=("dfs", "bfs"),
    explains=by_styles(_styles),
    hints={
        "en": (
            "Your solver takes the pending cells from the wrong end. One kind of search goes on from "
            "the cell that it found last, the other from the one that has waited longest. Which of "
            "the two is this to be, and which cell does your code take?"
        ),
        "nb": (
            "Løseren din tar de ventende cellene fra feil ende. Den ene typen søk fortsetter fra "
            "cellen den fant sist, den andre fra den som har ventet lengst. Hvilken av de to skal "
            "dette være, og hvilken celle tar koden din?"
        ),
    },
)
