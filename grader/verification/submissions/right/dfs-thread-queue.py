import queue
import sys
import threading

from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        sys.setrecursionlimit(100_000)
        threading.stack_size(300_000_000 // 4096 * 4096)
        answers = queue.SimpleQueue()
        worker = threading.Thread(
            target=lambda: answers.put(self.explore(maze, maze.entry, set())), name="explorer"
        )
        worker.start()
        way = answers.get()
        worker.join()
        return way

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
