class Cheapest:
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = search.closest_pending()
            if maze.is_exit(cell):
                return search.moves_to(cell)
            for move in maze.valid_moves_at(cell):
                search.record(cell, move, cell + move)
        return None
