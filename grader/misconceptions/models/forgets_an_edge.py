"""Never enters the last (or the first) row or column."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from grader.misconceptions.exploring import Ends, Node, Style, with_ends
from grader.misconceptions.model import Model
from grader.misconceptions.sights import SOLVERS, by_styles
from lab import Maze, Vector

Inside = Callable[[Maze, Vector], bool]

_BORDERS: tuple[Inside, ...] = (
    lambda maze, cell: cell.row < maze.dimension.row_count and cell.column < maze.dimension.column_count,
    lambda maze, cell: cell.row < maze.dimension.row_count,
    lambda maze, cell: cell.column < maze.dimension.column_count,
    lambda _maze, cell: cell.row > 1 and cell.column > 1,
    lambda _maze, cell: cell.row > 1,
    lambda _maze, cell: cell.column > 1,
)


def _within(inside: Inside) -> Callable[[Ends], Ends]:
    def change(ends: Ends) -> Ends:
        def fewer(maze: Maze, node: Node) -> list[Vector]:
            return [cell for cell in ends(maze, node) if inside(maze, cell)]

        return fewer

    return change


def _styles(exercise: str) -> Iterator[Style]:
    for inside in _BORDERS:
        yield from with_ends(exercise, _within(inside))


MODEL = Model(
    name="forgets-an-edge",
    exercises=SOLVERS,
    explains=by_styles(_styles),
    hints={
        "en": (
            "Your solver never enters a row or a column at the edge of the maze. Rows and columns "
            "count from 1: which are the first and the last, and does your code allow for both?"
        ),
        "nb": (
            "Løseren din går aldri inn i en rad eller kolonne ved kanten av labyrinten. Rader og "
            "kolonner telles fra 1: hvilke er de første og de siste, og tar koden din med begge?"
        ),
    },
)
