from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        for move in maze.valid_moves_at(maze.entry):
            search.record(maze.entry, move, maze.entry + move)
        while search.has_pending_cells():
            if maze.is_exit(search.closest_pending()):
                return search.moves_to(maze.exit)
            if search.has_pending_cells():
                cell = search.closest_pending()
                for move in maze.valid_moves_at(cell):
                    search.record(cell, move, cell + move)
        return None
