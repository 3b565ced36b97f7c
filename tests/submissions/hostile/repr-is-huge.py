class Huge:
    def __repr__(self):
        return 'x' * 500_000_000


class DFS:
    def solve(self, maze, search):
        return Huge()
