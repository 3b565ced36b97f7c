import ctypes


class DFS:
    def solve(self, maze, search):
        ctypes.memset(0, 1, 1)
