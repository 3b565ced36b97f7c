from lab import Solver
import numpy as np


class BFS(Solver):
    def solve(self, maze, search):
        seen = np.zeros((9, 9))
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.first_pending()
            if maze.is_exit(position):
                return search.moves_to(position)
            for move in maze.valid_moves_at(position):
                search.record(position, move, position + move)
        return None
