from lab import MOVES, Solver


class DFS(Solver):
    def solve(self, maze, search):
        if maze.exit is None:
            return None
        cell, facing, way = maze.entry, 0, []
        for _ in range(8 * maze.dimension.position_count):
            if cell == maze.exit:
                return way
            for turn in (3, 0, 1, 2):
                move = MOVES[(facing + turn) % 4]
                if maze.is_clear(cell, move):
                    facing = (facing + turn) % 4
                    cell = cell + move
                    if way and way[-1] == move.opposite():
                        way.pop()
                    else:
                        way.append(move)
                    break
        return None
