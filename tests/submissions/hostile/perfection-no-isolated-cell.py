class PerfectionChecker:
    def is_perfect(self, maze):
        return all(maze.valid_moves_at(c) for c in maze.dimension.all_positions())
