from collections import deque

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        came_from = {}
        waiting = deque()
        waiting.append(maze.entry)
        while waiting:
            here = waiting.popleft()
            if maze.is_exit(here):
                return self.way(came_from, here, maze.dimension.position_count)
            for move in maze.valid_moves_at(here):
                there = here + move
                if there in came_from:
                    continue
                came_from[there] = here, move
                waiting.append(there)
        return None

    def way(self, came_from, cell, most):
        moves = []
        while cell in came_from and len(moves) < most:
            cell, move = came_from[cell]
            moves.append(move)
        return moves[::-1]
