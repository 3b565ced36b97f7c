from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        pass
