class Bad(Exception):
    def __str__(self):
        while True:
            pass

    __repr__ = __str__


class DFS:
    def solve(self, maze, search):
        raise Bad()
