class DFS:
    def solve(self, maze, search):
        raise ValueError('x' * 200_000_000)
