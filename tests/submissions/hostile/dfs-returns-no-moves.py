class DFS:
    def solve(self, maze, search):
        return []
