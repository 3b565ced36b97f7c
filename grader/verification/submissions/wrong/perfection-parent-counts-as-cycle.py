class PerfectionChecker:
    def is_perfect(self, maze):
        self.seen = set()
        return self.tree(maze, maze.entry) and len(self.seen) == maze.dimension.position_count

    def tree(self, maze, cell):
        if cell in self.seen:
            return False
        self.seen.add(cell)
        return all(self.tree(maze, cell + move) for move in maze.valid_moves_at(cell))
