from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            cell = search.first_pending()
            if maze.is_exit(cell):
                return search.moves_to(cell)
            moves = maze.valid_moves_at(cell)
            if len(moves) == 1 and cell != maze.entry:
                maze.build_wall(cell, moves[0])
            for move in moves:
                search.record(cell, move, cell + move)
        return None
