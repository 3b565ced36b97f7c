from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = search.first_pending()
            for move in maze.valid_moves_at(cell):
                search.record(cell, move, cell + move)
        if maze.exit in search.known_cells:
            return search.moves_to(maze.exit)
