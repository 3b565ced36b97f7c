from collections import deque

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        known = {self.name(maze.entry)}
        queue = deque([(maze.entry, [])])
        while queue:
            position, way = queue.popleft()
            if maze.is_exit(position):
                return way
            for move in maze.valid_moves_at(position):
                name = self.name(position + move)
                if name not in known:
                    known.add(name)
                    queue.append((position + move, [*way, move]))
        return None

    def name(self, cell):
        return "abcdefgh"[cell.column - 1] + str(cell.row)
