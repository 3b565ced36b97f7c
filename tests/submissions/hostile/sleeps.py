import time


class DFS:
    def solve(self, maze, search):
        time.sleep(10_000)
