"""Gives up at the first dead end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grader.misconceptions.exploring import Node, State, Style, in_order, right_styles, when_found
from grader.misconceptions.model import Model
from grader.misconceptions.sights import by_styles
from lab import Vector


def _only_one(state: State, node: Node, end: Vector) -> None:
    """Nothing waits: the search goes on in one cell, or not at all."""
    if not state.pending:
        when_found(state, node, end)


def _styles(exercise: str) -> Iterator[Style]:
    return (replace(style, ends=in_order, note=_only_one) for style in right_styles(exercise))


MODEL = Model(
    name="first-dead-end",
    exercises=("dfs",),
    explains=by_styles(_styles),
    hints={
        "en": (
            "Your solver gives up at the first dead end. When a cell has no neighbours left to try, "
            "to which cell should it go back, and how does it know that cell?"
        ),
        "nb": (
            "Løseren din gir opp ved den første blindveien. Når en celle ikke har flere naboer å "
            "prøve, hvilken celle skal den gå tilbake til, og hvordan kjenner den den cellen?"
        ),
    },
)
