from collections import deque

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        came_by = {maze.entry: None}
        queue = deque([maze.entry])
        while queue:
            position = queue.popleft()
            if position == maze.exit:
                return self.way_back(came_by, position)
            for move in [m for m in ((0, 1), (1, 0), (0, -1), (-1, 0)) if maze.is_clear(position, m)]:
                neighbour = position + move
                if neighbour not in came_by:
                    came_by[neighbour] = move
                    queue.append(neighbour)
        return None

    def way_back(self, came_by, position):
        moves = []
        while came_by[position] is not None:
            move = came_by[position]
            moves.append(move)
            position = position + (-move[0], -move[1])
        moves.reverse()
        return moves
