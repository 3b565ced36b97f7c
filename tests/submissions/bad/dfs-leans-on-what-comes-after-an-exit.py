from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        started()
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.last_pending()
            if maze.is_exit(position):
                return search.moves_to(position)
            for move in reversed(maze.valid_moves_at(position)):
                search.record(position, move, position + move)
        return None


exit()


def started():
    print("here")
