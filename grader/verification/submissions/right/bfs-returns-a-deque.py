from collections import deque

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        came = {maze.entry: None}
        queue = deque(came)
        while queue:
            cell = queue.popleft()
            if maze.is_exit(cell):
                way = deque()
                while came[cell]:
                    cell, move = came[cell]
                    way.appendleft(move)
                return way
            for move in maze.valid_moves_at(cell):
                if cell + move not in came:
                    came[cell + move] = (cell, move)
                    queue.append(cell + move)
        return None
