from lab import EAST, SOUTH


class PerfectionChecker:
    def is_perfect(self, maze):
        seen, waiting = {maze.entry}, [maze.entry]
        while waiting:
            cell = waiting.pop()
            for move in maze.valid_moves_at(cell):
                if cell + move not in seen:
                    seen.add(cell + move)
                    waiting.append(cell + move)
        if len(seen) != maze.dimension.position_count:
            return False
        return not any(self.is_in_a_room(maze, cell) for cell in seen)

    def is_in_a_room(self, maze, cell):
        if EAST not in maze.valid_moves_at(cell) or SOUTH not in maze.valid_moves_at(cell):
            return False
        return SOUTH in maze.valid_moves_at(cell + EAST) and EAST in maze.valid_moves_at(cell + SOUTH)
