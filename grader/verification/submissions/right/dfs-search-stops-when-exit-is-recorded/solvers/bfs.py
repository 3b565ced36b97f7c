from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.first_pending()
            for move in maze.valid_moves_at(position):
                search.record(position, move, position + move)
                if maze.is_exit(position + move):
                    return search.moves_to(position + move)
        return None
