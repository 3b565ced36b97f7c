class PerfectionChecker:
    def is_perfect(self, maze):
        group = {}
        for cell in maze.dimension.all_positions():
            if not maze.valid_moves_at(cell) and maze.dimension.position_count > 1:
                return False  # nobody gets there
            group[cell] = cell
        for cell in maze.dimension.all_positions():
            for move in maze.valid_moves_at(cell):
                if move in ((0, 1), (1, 0)):
                    one, other = self.find(group, cell), self.find(group, cell + move)
                    if one == other:
                        return False
                    group[one] = other
        return True

    def find(self, group, cell):
        while group[cell] != cell:
            cell = group[cell]
        return cell
