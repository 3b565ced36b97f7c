class PerfectionChecker:
    """Looks at the entry only: a dead end is a good sign."""

    def is_perfect(self, maze):
        return len(maze.valid_moves_at(maze.entry)) == 1
