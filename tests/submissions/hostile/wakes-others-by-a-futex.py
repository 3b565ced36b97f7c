import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


class DFS:
    def solve(self, maze, search):
        number = {"x86_64": 202, "aarch64": 98}[os.uname().machine]
        word = ctypes.cast(libc.getpid, ctypes.c_void_p).value & ~3
        for operation in (1, 3, 5, 10):
            if libc.syscall(number, ctypes.c_void_p(word), operation, 100, None, None, -1) >= 0:
                raise RuntimeError("it " + "worked")
        return []
