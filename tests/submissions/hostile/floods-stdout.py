import sys


class DFS:
    def solve(self, maze, search):
        while True:
            sys.stdout.write('x' * 65536)
