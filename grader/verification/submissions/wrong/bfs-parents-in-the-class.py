from collections import deque

from lab import Solver


class BFS(Solver):
    parents = {}

    def solve(self, maze, search):
        queue = deque([maze.entry])
        seen = {maze.entry}
        while queue:
            position = queue.popleft()
            if position == maze.exit:
                return self.way(position)
            for move in maze.valid_moves_at(position):
                neighbour = position + move
                if neighbour not in seen:
                    seen.add(neighbour)
                    self.parents[neighbour] = move
                    queue.append(neighbour)
        return None

    def way(self, position):
        moves = []
        while position in self.parents:
            move = self.parents[position]
            moves.append(move)
            position = position + move.opposite()
        return moves[::-1]
