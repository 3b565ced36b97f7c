from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        raise NotImplementedError
