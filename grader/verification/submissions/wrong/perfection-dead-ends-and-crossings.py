from lab import EAST, SOUTH


class PerfectionChecker:
    def is_perfect(self, maze):
        if maze.dimension.position_count == 1:
            return True
        for cell in maze.dimension.all_positions():
            if not maze.valid_moves_at(cell):
                return False
            if maze.is_clear(cell, EAST) and maze.is_clear(cell, SOUTH):
                if maze.is_clear(cell + EAST, SOUTH) and maze.is_clear(cell + SOUTH, EAST):
                    return False
        return True
