from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = search.first_pending()
            if maze.is_exit(cell):
                return dict.fromkeys(search.moves_to(cell)).keys()
            for move in maze.valid_moves_at(cell):
                search.record(cell, move, cell + move)
        return None
