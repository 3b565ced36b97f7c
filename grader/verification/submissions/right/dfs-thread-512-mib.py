import sys
import threading

from lab import Solver

sys.setrecursionlimit(1_000_000)
threading.stack_size(512 * 1024 * 1024)


class DFS(Solver):
    def solve(self, maze, search):
        answer = []

        def work():
            answer.append(self.explore(maze, maze.entry, set()))

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        return answer.pop()

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
