class DFS:
    def solve(self, maze, search):
        answer = []
        for _ in range(100_000):
            answer = [answer]
        return answer
