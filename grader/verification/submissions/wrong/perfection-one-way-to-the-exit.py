class PerfectionChecker:
    def is_perfect(self, maze):
        return self.count(maze, maze.entry, {maze.entry}) == 1

    def count(self, maze, cell, path):
        if maze.is_exit(cell):
            return 1
        total = 0
        for m in maze.valid_moves_at(cell):
            if cell + m not in path:
                total += self.count(maze, cell + m, path | {cell + m})
                if total > 1:
                    return total
        return total
