from collections import deque

from lab import Solver


class BFS(Solver):
    seen = set()

    def solve(self, maze, search):
        queue = deque([(maze.entry, [])])
        self.seen.add(maze.entry)
        while queue:
            cell, way = queue.popleft()
            if cell == maze.exit:
                return way
            for move in maze.valid_moves_at(cell):
                if cell + move not in self.seen:
                    self.seen.add(cell + move)
                    queue.append((cell + move, way + [move]))
        return None
