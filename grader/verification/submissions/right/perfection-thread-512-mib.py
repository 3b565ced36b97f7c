import sys
import threading


class PerfectionChecker:
    def is_perfect(self, maze):
        sys.setrecursionlimit(10**6)
        threading.stack_size(512 * 1024 * 1024)
        self.seen = set()
        self.is_tree = False
        thread = threading.Thread(target=self.check, args=(maze,))
        thread.start()
        thread.join()
        return self.is_tree

    def check(self, maze):
        tree = self.visit(maze, maze.entry, None)
        self.is_tree = tree and len(self.seen) == maze.dimension.position_count

    def visit(self, maze, cell, parent):
        if cell in self.seen:
            return False
        self.seen.add(cell)
        return all(
            self.visit(maze, cell + move, cell) for move in maze.valid_moves_at(cell) if cell + move != parent
        )
