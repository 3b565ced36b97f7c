class PerfectionChecker:
    def is_perfect(self, maze):
        parent = {cell: cell for cell in maze.dimension.all_positions()}

        def root(cell):
            while parent[cell] != cell:
                cell = parent[cell]
            return cell

        parts = len(parent)
        self.cycles = getattr(self, "cycles", 0)
        for cell in parent:
            for move in ((0, 1), (1, 0)):
                if not maze.is_valid_at(cell, move):
                    continue
                one, two = root(cell), root(cell + move)
                if one == two:
                    self.cycles += 1
                    continue
                parent[one] = two
                parts -= 1
        return parts == 1 and self.cycles == 0
