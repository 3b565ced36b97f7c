from queue import Queue

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        queue = Queue()
        queue.put(maze.entry)
        ways = {maze.entry: []}
        while True:
            cell = queue.get()
            if maze.is_exit(cell):
                return ways[cell]
            for move in maze.valid_moves_at(cell):
                if cell + move not in ways:
                    ways[cell + move] = [*ways[cell], move]
                    queue.put(cell + move)
