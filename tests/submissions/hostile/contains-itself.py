class DFS:
    def solve(self, maze, search):
        answer = []
        answer.append(answer)
        return answer
