import functools
import sys
import threading

from lab import Solver


def with_a_large_stack(function):
    @functools.wraps(function)
    def run(*arguments):
        result = []
        threading.stack_size(512 * 1024 * 1024)
        sys.setrecursionlimit(10**6)
        thread = threading.Thread(target=lambda: result.append(function(*arguments)))
        thread.start()
        thread.join()
        return result[0]

    return run


class DFS(Solver):
    @with_a_large_stack
    def solve(self, maze, search):
        return self.explore(maze, maze.entry, set())

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
