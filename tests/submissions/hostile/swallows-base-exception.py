class DFS:
    def solve(self, maze, search):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                continue
