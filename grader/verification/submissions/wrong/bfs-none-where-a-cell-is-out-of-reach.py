from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        way = None
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.first_pending()
            if maze.is_exit(position):
                way = search.moves_to(position)
            for move in maze.valid_moves_at(position):
                search.record(position, move, position + move)
        if len(search.known_cells) < maze.dimension.position_count:
            return None  # something is walled off
        return way
