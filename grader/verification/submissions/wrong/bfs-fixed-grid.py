from collections import deque

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        seen = [[False] * 21 for _ in range(21)]
        seen[maze.entry.row][maze.entry.column] = True
        queue = deque([(maze.entry, [])])
        while queue:
            cell, way = queue.popleft()
            if cell == maze.exit:
                return way
            for move in maze.valid_moves_at(cell):
                row, column = cell + move
                if not seen[row][column]:
                    seen[row][column] = True
                    queue.append((cell + move, way + [move]))
        return None
