import sys
import threading
from collections import deque

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        came = {maze.entry: None}
        todo = deque(came)
        while todo:
            here = todo.popleft()
            if maze.is_exit(here):
                return self.in_a_thread(came, here)
            for move in maze.valid_moves_at(here):
                if here + move not in came:
                    came[here + move] = (here, move)
                    todo.append(here + move)

    def in_a_thread(self, came, cell):
        sys.setrecursionlimit(50_000)
        threading.stack_size(512 * 2**20)
        result = []
        thread = threading.Thread(target=lambda: result.extend(self.way(came, cell)))
        thread.start()
        thread.join()
        return result

    def way(self, came, cell):
        if came[cell] is None:
            return []
        before, move = came[cell]
        return self.way(came, before) + [move]
