class PerfectionChecker:
    def is_perfect(self, maze):
        d = maze.dimension
        if 1 in (d.row_count, d.column_count):
            return all(maze.valid_moves_at(c) for c in d.all_positions())
        return False
