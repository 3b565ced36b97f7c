from lab import Vector


class PerfectionChecker:
    def is_perfect(self, maze):
        self.maze = maze
        self.seen = set()
        corner = Vector(1, 1)
        return self.is_tree(corner, None) and all(cell in self.seen for cell in maze.dimension.all_positions())

    def is_tree(self, cell, back):
        if cell in self.seen:
            return False
        self.seen.add(cell)
        return all(self.is_tree(cell + move, move.opposite()) for move in self.maze.valid_moves_at(cell) if move != back)
