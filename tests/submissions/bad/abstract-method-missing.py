from lab import Solver


class DFS(Solver):
    def solver(self, maze, search):
        return None
