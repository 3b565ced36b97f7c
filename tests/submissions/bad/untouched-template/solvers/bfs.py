from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        raise NotImplementedError
