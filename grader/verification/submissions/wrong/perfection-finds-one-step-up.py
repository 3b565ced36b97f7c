from lab import EAST, SOUTH


class PerfectionChecker:
    def is_perfect(self, maze):
        cells = maze.dimension.all_positions()
        self.above = {cell: cell for cell in cells}
        joined = 0
        for cell in cells:
            for move in (EAST, SOUTH):
                if move in maze.valid_moves_at(cell):
                    one, other = self.root(cell), self.root(cell + move)
                    if one == other:
                        return False
                    self.above[other] = one
                    joined += 1
        return joined == len(cells) - 1

    def root(self, cell):
        return self.above[cell]
