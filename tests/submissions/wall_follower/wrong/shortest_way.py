from collections import deque


class WallFollower:
    """A breadth-first search, which is no walk along a wall."""

    def solve(self, maze, search):
        ways, queue = {maze.entry: []}, deque([maze.entry])
        while queue:
            cell = queue.popleft()
            if maze.is_exit(cell):
                return ways[cell]
            for move in maze.valid_moves_at(cell):
                if cell + move not in ways:
                    ways[cell + move] = [*ways[cell], move]
                    queue.append(cell + move)
        return None
