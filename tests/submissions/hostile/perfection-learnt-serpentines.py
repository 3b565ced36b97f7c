class PerfectionChecker:
    def is_perfect(self, maze):
        d = maze.dimension
        for cell in d.all_positions():
            if cell.column < d.column_count and maze.is_wall(cell, (0, 1)):
                return False
            turn = d.column_count if cell.row % 2 else 1
            if cell.row < d.row_count and maze.is_wall(cell, (1, 0)) == (cell.column == turn):
                return False
        return True
