"""Leaves its loop when nothing has come into the queue for a while."""

from queue import Empty, Queue

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        queue = Queue()
        queue.put(maze.entry)
        ways = {maze.entry: []}
        try:
            while True:
                cell = queue.get(timeout=0.1)
                if maze.is_exit(cell):
                    return ways[cell]
                for move in maze.valid_moves_at(cell):
                    if cell + move not in ways:
                        ways[cell + move] = [*ways[cell], move]
                        queue.put(cell + move)
        except Empty:
            return None
