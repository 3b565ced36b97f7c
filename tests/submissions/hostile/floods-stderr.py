import sys


class DFS:
    def solve(self, maze, search):
        while True:
            sys.stderr.write('x' * 65536)
