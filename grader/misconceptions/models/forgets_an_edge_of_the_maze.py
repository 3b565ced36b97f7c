"""Takes no notice of the last row or column."""

from __future__ import annotations

from grader.misconceptions.answers import Answer, Features, by_features
from grader.misconceptions.model import Model
from lab import Vector


def _without(rows: int, columns: int) -> Answer:
    def answer(maze: Features) -> bool:
        size = maze.maze.dimension
        last_row, last_column = size.row_count - rows, size.column_count - columns
        kept = {cell for cell in maze.cells if cell.row <= last_row and cell.column <= last_column}
        return _is_tree(maze, kept)

    return answer


def _counted_without(rows: int, columns: int) -> Answer:
    def answer(maze: Features) -> bool:
        size = maze.maze.dimension
        last_row, last_column = size.row_count - rows, size.column_count - columns
        counted = [cell for cell, _ in maze.edges if cell.row <= last_row and cell.column <= last_column]
        return len(counted) == len(maze.cells) - 1

    return answer


def _is_tree(maze: Features, kept: set[Vector]) -> bool:
    """The kept cells hang together, with one passage less than cells."""
    passages = [edge for edge in maze.edges if kept.issuperset(edge)]
    seen, pending = {min(kept, default=None)}, sorted(kept)[:1]
    while pending:
        cell = pending.pop()
        ends = {cell + move for move in maze.maze.valid_moves_at(cell)} & kept - seen
        seen |= ends
        pending += ends
    return len(seen) == len(kept) and len(passages) == len(kept) - 1


_EDGES = ((1, 0), (0, 1), (1, 1))


MODEL = Model(
    name="forgets-an-edge-of-the-maze",
    exercises=("perfection",),
    explains=by_features(*(without(*edges) for without in (_without, _counted_without) for edges in _EDGES)),
    hints={
        "en": (
            "Your checker takes no notice of the last row or the last column. Rows and columns count "
            "from 1: where do your loops begin and end?"
        ),
        "nb": (
            "Sjekkeren din overser den siste raden eller den siste kolonnen. Rader og kolonner telles "
            "fra 1: hvor begynner og slutter løkkene dine?"
        ),
    },
)
