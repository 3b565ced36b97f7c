from collections import deque

from lab import Solver, Vector

MOVES = [Vector(-1, 0), Vector(0, 1), Vector(1, 0), Vector(0, -1)]


class BFS(Solver):
    def solve(self, maze, search):
        came_by = {maze.entry: None}
        queue = deque([maze.entry])
        while queue:
            position = queue.popleft()
            if position == maze.exit:
                return self.way_back(came_by, position)
            for move in MOVES:
                neighbour = position + move
                if neighbour not in came_by and move in maze.valid_moves_at(position):
                    came_by[neighbour] = move
                    queue.append(neighbour)
        return None

    def way_back(self, came_by, position):
        moves = []
        while came_by[position] is not None:
            move = came_by[position]
            moves.append(move)
            position = position + move.opposite()
        moves.reverse()
        return moves
