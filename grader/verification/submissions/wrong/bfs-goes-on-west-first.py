from collections import deque

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        ways = {maze.entry: []}
        queue = deque(ways)
        while queue:
            cell = queue.popleft()
            for move in reversed(maze.valid_moves_at(cell)):
                if cell + move not in ways:
                    ways[cell + move] = ways[cell] + [move]
                    queue.append(cell + move)
        return ways.get(maze.exit)
