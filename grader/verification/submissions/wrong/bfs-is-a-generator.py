from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.first_pending()
            if maze.is_exit(position):
                yield from search.moves_to(position)
                return
            for move in maze.valid_moves_at(position):
                search.record(position, move, position + move)
        return None
