class DFS:
    def solve(self, maze, search):
        first = last = ValueError("first")
        for number in range(10_000):
            following = ValueError(f"cause {number}")
            last.__cause__, last = following, following
        last.__context__ = first
        raise first
