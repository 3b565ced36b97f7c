"""All exercises with all their checks on a small case library, and a Search that is wrong."""

from __future__ import annotations

from grader import checks
from grader.cases.library import CaseBook, FixedMaze
from grader.checks.base import Exercise
from grader.course.exercises import target_of
from lab import Vector
from reference.solvers.search import Search

HIDDEN = "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+"
BOOK = CaseBook(
    seed=1,
    examples=40,
    mazes=[FixedMaze("A room", HIDDEN, True, ("dfs", "bfs", "dijkstra", "perfection"))],
)
EXERCISES = {
    id_: Exercise(id_, "", target_of(id_), checks.make(id_, list(titles), BOOK))
    for id_, titles in checks.TITLES.items()
}


class NeverShorter(Search):
    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        if end not in self.known_cells:
            super().record(start, move, end)
