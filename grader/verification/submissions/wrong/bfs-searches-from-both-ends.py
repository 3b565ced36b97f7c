from collections import deque
from lab import Solver

class BFS(Solver):
    def solve(self, maze, search):
        if maze.exit is None:
            return None
        if maze.entry == maze.exit:
            return []
        front = {maze.entry: []}
        back = {maze.exit: []}
        q1, q2 = deque([maze.entry]), deque([maze.exit])
        while q1 and q2:
            c = q1.popleft()
            for m in maze.valid_moves_at(c):
                n = c + m
                if n not in front:
                    front[n] = front[c] + [m]
                    q1.append(n)
                if n in back:
                    return front[n] + back[n]
            c = q2.popleft()
            for m in maze.valid_moves_at(c):
                n = c + m
                if n not in back:
                    back[n] = [m.opposite()] + back[c]
                    q2.append(n)
                if n in front:
                    return front[n] + back[n]
        return None
