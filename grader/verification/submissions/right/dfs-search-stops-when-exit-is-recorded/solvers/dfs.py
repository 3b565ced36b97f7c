from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.last_pending()
            # the last one pushed is taken first, so North is pushed last
            for move in reversed(maze.valid_moves_at(position)):
                search.record(position, move, position + move)
                if position + move == maze.exit:
                    return search.moves_to(maze.exit)
        return None
