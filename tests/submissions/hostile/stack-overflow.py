import sys


class DFS:
    def solve(self, maze, search):
        sys.setrecursionlimit(2**31 - 1)


        def down(n):
            return down(n + 1)


        return down(0)
