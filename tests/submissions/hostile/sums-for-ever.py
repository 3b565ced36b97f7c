class DFS:
    def solve(self, maze, search):
        return sum(range(10**14))
