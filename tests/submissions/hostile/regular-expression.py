import re


class DFS:
    def solve(self, maze, search):
        return re.match("(a*)*b", "a" * 64)
