from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        input('Press return to go on')
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.first_pending()
            if maze.is_exit(position):
                return search.moves_to(position)
            for move in maze.valid_moves_at(position):
                search.record(position, move, position + move)
        return None
