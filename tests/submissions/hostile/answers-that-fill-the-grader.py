from lab import Maze, Solver, Vector

from .search import Search

LONG = [Vector(number, -number) for number in range(20_000)]


class DFS(Solver):
    def solve(self, maze: Maze, search: Search) -> list[Vector] | None:
        return LONG
