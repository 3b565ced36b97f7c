from lab import EAST, MOVES, NORTH, Solver


class WallFollower(Solver):
    def solve(self, maze, search):
        position, facing = maze.entry, EAST
        moves, seen = [], set()
        while not maze.is_exit(position):
            side = MOVES.index(facing)
            turned = [MOVES[(side + turn) % 4] for turn in (1, 0, 3, 2)]
            clear = [move for move in turned if maze.is_clear(position, move)]
            if not clear or (position, clear[0]) in seen:
                return None
            facing = clear[0]
            seen.add((position, facing))
            moves.append(facing)
            position = position + facing
        return moves
