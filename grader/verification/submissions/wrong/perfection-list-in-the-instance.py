class PerfectionChecker:
    def __init__(self):
        self.seen = []

    def is_perfect(self, maze):
        self.ok = True
        self.visit(maze, maze.entry, None)
        return self.ok and len(self.seen) == maze.dimension.position_count

    def visit(self, maze, cell, parent):
        import sys

        sys.setrecursionlimit(100000)
        if cell in self.seen:
            self.ok = False
            return
        self.seen.append(cell)
        for move in maze.valid_moves_at(cell):
            if cell + move != parent:
                self.visit(maze, cell + move, cell)
