class Bad(Exception):
    def __str__(self):
        raise self

    __repr__ = __str__


class DFS:
    def solve(self, maze, search):
        raise Bad()
