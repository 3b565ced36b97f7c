from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = search.last_pending()
            for move in maze.valid_moves_at(cell):
                search.record(cell, move, cell + move)
        return search.moves_to(maze.exit) if maze.exit in search.known_cells else None
