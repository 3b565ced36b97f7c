import collections
from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        queue = collections.deque([(maze.entry, ())])
        enqueued = {maze.entry}
        while queue:
            cell, steps = queue.popleft()
            if maze.is_exit(cell):
                return list(steps)
            new = ((cell + move, steps + (move,)) for move in maze.valid_moves_at(cell))
            for neighbour, longer in new:
                if neighbour not in enqueued:
                    enqueued.add(neighbour)
                    queue.append((neighbour, longer))
