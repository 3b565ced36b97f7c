from lab import EAST, SOUTH


class PerfectionChecker:
    def is_perfect(self, maze):
        rows, columns = maze.dimension.row_count, maze.dimension.column_count
        passages = 0
        for row in range(1, rows + 1):
            for column in range(1, columns):
                for move in (EAST, SOUTH):
                    passages += maze.is_clear((row, column), move)
        return passages == rows * columns - 1
