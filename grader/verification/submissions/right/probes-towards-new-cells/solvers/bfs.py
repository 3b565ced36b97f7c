from collections import deque
from lab import MOVES, NORTH, EAST, SOUTH, WEST, Solver, Vector

class BFS(Solver):
    def solve(self, maze, search):
        goal = maze.exit
        queue = deque([maze.entry])
        came = {maze.entry: None}
        while queue:
            cell = queue.popleft()
            if cell == goal:
                way = []
                while came[cell] is not None:
                    way.append(came[cell])
                    cell = cell + came[cell].opposite()
                return way[::-1]
            for m in MOVES:
                if cell + m not in came and maze.is_valid_at(cell, m):
                    came[cell + m] = m
                    queue.append(cell + m)
        return None
