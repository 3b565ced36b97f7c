import inspect
import sys


class PerfectionChecker:
    def is_perfect(self, maze):
        sys.setrecursionlimit(len(inspect.stack()) + 500)
        seen = set()

        def tree(cell, back):
            if cell in seen:
                return False
            seen.add(cell)
            return all(tree(cell + m, m.opposite()) for m in maze.valid_moves_at(cell) if m != back)

        return tree(maze.entry, None) and len(seen) == maze.dimension.position_count
