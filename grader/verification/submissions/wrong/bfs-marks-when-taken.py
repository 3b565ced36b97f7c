from collections import deque

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        queue, visited = deque([(maze.entry, [])]), set()
        while queue:
            here, moves = queue.popleft()
            if here == maze.exit:
                return moves
            visited.add(here)
            for move in maze.valid_moves_at(here):
                if here + move not in visited:
                    queue.append((here + move, moves + [move]))
        return None
