class DFS:
    def solve(self, maze, search):
        breakpoint()
        return []
