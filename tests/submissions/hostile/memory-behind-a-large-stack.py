import threading


class DFS:
    def solve(self, maze, search):
        threading.stack_size(512 * 1024 * 1024)
        hoard = []
        while True:
            hoard.append(bytearray(64 * 1024 * 1024))
