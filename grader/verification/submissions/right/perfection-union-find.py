from lab import EAST, SOUTH


class PerfectionChecker:
    def is_perfect(self, maze):
        root = {cell: cell for cell in maze.dimension.all_positions()}

        def find(cell):
            while root[cell] != cell:
                root[cell] = root[root[cell]]
                cell = root[cell]
            return cell

        parts = len(root)
        for cell in root:
            for move in (EAST, SOUTH):
                if maze.is_valid_at(cell, move):
                    a, b = find(cell), find(cell + move)
                    if a == b:
                        return False
                    root[a] = b
                    parts -= 1
        return parts == 1
