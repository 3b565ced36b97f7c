from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.last_pending()
            if maze.is_exit(position):
                return search.moves_to(position)
            # the last one pushed is taken first, so North is pushed last
            for move in reversed(maze.valid_moves_at(position)):
                search.record(position, move, position + move)
        return None


name = input('Which maze? ')
print(DFS().solve(name, None))
