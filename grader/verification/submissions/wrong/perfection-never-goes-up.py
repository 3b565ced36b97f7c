from lab import EAST, SOUTH, WEST


class PerfectionChecker:
    def is_perfect(self, maze):
        came_from = {maze.entry: None}
        pending = [maze.entry]
        while pending:
            cell = pending.pop()
            for move in (EAST, SOUTH, WEST):
                if not maze.is_valid_at(cell, move):
                    continue
                neighbour = cell + move
                if neighbour not in came_from:
                    came_from[neighbour] = cell
                    pending.append(neighbour)
                elif neighbour != came_from[cell]:
                    return False
        return len(came_from) == maze.dimension.position_count
