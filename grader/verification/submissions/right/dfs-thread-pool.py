import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        sys.setrecursionlimit(200_000)
        threading.stack_size(256 * 2**20)
        with ThreadPoolExecutor(max_workers=1) as pool:
            return pool.submit(self.explore, maze, maze.entry, set()).result()

    def explore(self, maze, position, seen):
        seen.add(position)
        if position == maze.exit:
            return []
        for move in maze.valid_moves_at(position):
            if position + move not in seen:
                rest = self.explore(maze, position + move, seen)
                if rest is not None:
                    return [move] + rest
        return None
