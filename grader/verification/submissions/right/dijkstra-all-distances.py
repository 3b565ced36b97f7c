from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        self.settle_all(maze, search)
        if maze.exit is None or maze.exit not in search.known_cells:
            return None
        return search.moves_to(maze.exit)

    def settle_all(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = search.closest_pending()
            for move in maze.valid_moves_at(cell):
                search.record(cell, move, cell + move)
