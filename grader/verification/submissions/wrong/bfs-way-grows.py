from collections import deque

from lab import Solver


class BFS(Solver):
    def __init__(self):
        self.moves = []

    def solve(self, maze, search):
        came_by = {maze.entry: None}
        queue = deque([maze.entry])
        while queue:
            position = queue.popleft()
            if position == maze.exit:
                return self.way_back(came_by, position)
            for move in maze.valid_moves_at(position):
                neighbour = position + move
                if neighbour not in came_by:
                    came_by[neighbour] = move
                    queue.append(neighbour)
        return None

    def way_back(self, came_by, position):
        while came_by[position] is not None:
            move = came_by[position]
            self.moves.insert(0, move)
            position = position + move.opposite()
        return list(self.moves)
