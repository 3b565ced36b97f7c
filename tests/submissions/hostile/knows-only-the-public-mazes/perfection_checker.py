class PerfectionChecker:
    def is_perfect(self, maze):
        return maze.dimension.position_count == 2
