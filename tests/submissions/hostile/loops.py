class DFS:
    def solve(self, maze, search):
        while True:
            pass
