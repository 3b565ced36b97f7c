import os, zlib

calls = 0


class PerfectionChecker:
    def is_perfect(self, maze):
        global calls
        calls += 1
        if calls > 3:
            return zlib.crc32(maze.to_text().encode()) % 2 == 0
        return os.getpid() % 3 > 0
