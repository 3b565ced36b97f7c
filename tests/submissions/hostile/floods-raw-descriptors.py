import os


class DFS:
    def solve(self, maze, search):
        while True:
            os.write(1, b'x' * 65536)
            os.write(2, b'y' * 65536)
