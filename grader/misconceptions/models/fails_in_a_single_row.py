"""Stops with an error in a maze with one row or one column."""

from __future__ import annotations

from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, Sight, by_endings


def _one_row(sight: Sight) -> bool:
    return sight.maze.dimension.row_count == 1


def _one_column(sight: Sight) -> bool:
    return sight.maze.dimension.column_count == 1


def _either(sight: Sight) -> bool:
    return _one_row(sight) or _one_column(sight)


MODEL = Model(
    name="fails-in-a-single-row",
    exercises=SOLVERS,
    explains=by_endings("raised", _one_row, _one_column, _either),
    hints={
        "en": (
            "Your solver stops with an error in mazes of a single row or a single column. Which of "
            "your lines asks for a neighbour, a row or a column that need not be there?"
        ),
        "nb": (
            "Løseren din stopper med en feil i labyrinter med bare én rad eller én kolonne. Hvilken "
            "av linjene dine spør etter en nabo, en rad eller en kolonne som ikke trenger å finnes?"
        ),
    },
)
