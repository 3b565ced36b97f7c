import functools

from lab import Maze, Solver

_known = {}


class DFS(Solver):
    def solve(self, maze, search):
        moves_of = functools.lru_cache(maxsize=None)(maze.valid_moves_at)
        trail = functools.partial(self._trail, maze, moves_of)
        return trail(maze.entry, set())

    def _trail(self, maze, moves_of, cell, seen):
        seen.add(cell)
        if maze.is_exit(cell):
            return []
        for move in moves_of(cell):
            if cell + move not in seen:
                rest = self._trail(maze, moves_of, cell + move, seen)
                if rest is not None:
                    return [move] + rest
        return None
