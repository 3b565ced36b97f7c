class DFS:
    def solve(self, maze, search):
        print('A' * 60_000, end='')
        return []
