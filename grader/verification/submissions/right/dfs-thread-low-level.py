import _thread
import sys

from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        sys.setrecursionlimit(100_000)
        _thread.stack_size(256 * 1024 * 1024)
        done = _thread.allocate_lock()
        done.acquire()
        found = {}

        def work():
            found["way"] = self.explore(maze, maze.entry, set())
            done.release()

        _thread.start_new_thread(work, ())
        with done:
            return found["way"]

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
