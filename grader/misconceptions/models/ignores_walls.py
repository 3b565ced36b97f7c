"""Walks through walls: takes every move that stays inside the grid."""

from __future__ import annotations

from grader.misconceptions.exploring import Ends, Node, in_order, with_ends
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, by_styles
from lab import Maze, Vector


def _through_walls(ends: Ends) -> Ends:
    def all_ends(maze: Maze, node: Node) -> list[Vector]:
        return _turned(ends, [node.cell + move for move in maze.moves_at(node.cell)])

    return all_ends


def _turned(ends: Ends, cells: list[Vector]) -> list[Vector]:
    return cells if ends is in_order else cells[::-1]


MODEL = Model(
    name="ignores-walls",
    exercises=SOLVERS,
    explains=by_styles(lambda exercise: with_ends(exercise, _through_walls)),
    hints={
        "en": (
            "Your solver goes through walls. A maze can be asked for two kinds of moves at a cell: "
            "which of them knows about walls?"
        ),
        "nb": (
            "Løseren din går gjennom vegger. En labyrint kan bli spurt om to slags trekk i en celle: "
            "hvilke av dem tar hensyn til vegger?"
        ),
    },
)
