import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


class DFS:
    def solve(self, maze, search):
        for begin in (libc.inotify_init, libc.inotify_init1, libc.fanotify_init):
            if begin(0, 0) >= 0:
                raise RuntimeError("it " + "worked")
        return []
