class PerfectionChecker:
    def is_perfect(self, maze):
        n = maze.dimension.position_count
        openings = sum(len(maze.valid_moves_at(c)) for c in maze.dimension.all_positions()) // 2
        return openings % 2 == 1
