"""All exercises with all their checks on a small case library, and a wrong Search."""

from __future__ import annotations

from functools import cache

from grader.course.statements import target_of
from grader.exercises import registry
from grader.exercises.kit.check import PlannedExercise
from grader.exercises.kit.library import CaseBook
from grader.exercises.kit.small_mazes import FixedMaze
from lab import Vector
from reference.solvers.search import Search

HIDDEN = "+-+-+\n|S  |\n+ + +\n|  E|\n+-+-+"
BOOK = CaseBook(
    seed=1, examples=40, mazes=[FixedMaze("A room", HIDDEN, True, ("dfs", "bfs", "dijkstra", "perfection"))]
)


@cache
def exercise(id_: str) -> PlannedExercise:
    """Return an exercise with all its checks."""
    checks = registry.make_checks(id_, list(registry.titles()[id_]), BOOK)
    return PlannedExercise(id_, "", target_of(id_), checks)


class NeverShorter(Search):
    def record(self, start: Vector, move: Vector, end: Vector) -> None:
        if end not in self.known_cells:
            super().record(start, move, end)
