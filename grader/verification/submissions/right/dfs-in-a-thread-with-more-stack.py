import sys
import threading

from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        sys.setrecursionlimit(100_000)
        old = threading.stack_size(64 * 1024 * 1024)
        answer = []
        thread = threading.Thread(target=lambda: answer.append(self.explore(maze, maze.entry, set())))
        thread.start()
        thread.join()
        threading.stack_size(old)
        return answer[0]

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
