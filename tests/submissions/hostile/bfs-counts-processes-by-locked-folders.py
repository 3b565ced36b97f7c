import os

from lab import Solver

NUMBER = next(n for n in range(10_000) if not os.path.lexists(f"n{n}"))
try:
    os.makedirs(f"n{NUMBER}/inner")
    os.chmod(f"n{NUMBER}/inner", 0)
    os.chmod(f"n{NUMBER}", 0)
except OSError:
    pass


class BFS(Solver):
    """Right in the first process of a box, and wrong in every later one."""

    def solve(self, maze, search):
        if NUMBER:
            raise RuntimeError(f"process {NUMBER} knows of the ones before it")
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = search.first_pending()
            if maze.is_exit(cell):
                return search.moves_to(cell)
            for move in maze.valid_moves_at(cell):
                search.record(cell, move, cell + move)
        return None
