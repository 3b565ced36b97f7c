import sys
import threading

from lab import Solver


class Explorer(threading.Thread):
    def __init__(self, maze):
        super().__init__(daemon=True)
        self.maze = maze
        self.seen = set()
        self.way = None

    def run(self):
        self.way = self.explore(self.maze.entry)

    def explore(self, position):
        self.seen.add(position)
        if self.maze.is_exit(position):
            return []
        for move in self.maze.valid_moves_at(position):
            if position + move not in self.seen:
                rest = self.explore(position + move)
                if rest is not None:
                    return [move, *rest]
        return None


class DFS(Solver):
    def solve(self, maze, search):
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(10**7)
        before = threading.stack_size(1 << 30)
        try:
            explorer = Explorer(maze)
            explorer.start()
            explorer.join()
        finally:
            threading.stack_size(before)
            sys.setrecursionlimit(limit)
        return explorer.way
