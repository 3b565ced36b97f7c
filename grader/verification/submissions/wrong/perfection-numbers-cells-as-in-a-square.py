class PerfectionChecker:
    def is_perfect(self, maze):
        rows, columns = maze.dimension.row_count, maze.dimension.column_count
        group = list(range(rows * columns))

        def find(number):
            while group[number] != number:
                number = group[number]
            return number

        count = 0
        for position in maze.dimension.all_positions():
            for move in maze.valid_moves_at(position):
                if move.row + move.column > 0:
                    end = position + move
                    one = find((position.row - 1) * rows + (position.column - 1))
                    other = find((end.row - 1) * rows + (end.column - 1))
                    if one == other:
                        return False
                    group[one] = other
                    count += 1
        return count == rows * columns - 1
