from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = search.last_pending()
            if maze.is_exit(cell):
                return set(search.moves_to(cell))
            for move in reversed(maze.valid_moves_at(cell)):
                search.record(cell, move, cell + move)
        return None
