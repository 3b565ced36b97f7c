import itertools


class DFS:
    def solve(self, maze, search):
        return itertools.repeat((0, 1))
