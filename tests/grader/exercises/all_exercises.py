"""All exercises with all their checks on a small case library, and a wrong Search."""

from __future__ import annotations

from grader.course.exercises import target_of
from grader.exercises import registry
from grader.exercises.kit.cases.fixed_mazes import FixedMaze
from grader.exercises.kit.cases.library import CaseBook
from grader.exercises.kit.check import PlannedExercise
from lab import Vector
from reference.solvers.search import Search

HIDDEN = "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+"
BOOK = CaseBook(
    seed=1,
    examples=40,
    mazes=[FixedMaze("A room", HIDDEN, True, ("dfs", "bfs", "dijkstra", "perfection"))],
)
EXERCISES = {
    id_: PlannedExercise(id_, "", target_of(id_), registry.make_checks(id_, list(titles), BOOK))
    for id_, titles in registry.titles().items()
}


class NeverShorter(Search):
    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        if end not in self.known_cells:
            super().record(start, move, end)
