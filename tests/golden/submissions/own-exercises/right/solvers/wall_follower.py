from lab import MOVES, NORTH, Solver


class WallFollower(Solver):
    def solve(self, maze, search):
        position, facing, made = maze.entry, NORTH, []
        while not maze.is_exit(position):
            side = MOVES.index(facing)
            turned = [MOVES[(side + turn) % 4] for turn in (1, 0, 3, 2)]
            facing = next((move for move in turned if maze.is_clear(position, move)), facing)
            if (position, facing) in made or not maze.valid_moves_at(position):
                return None
            made.append((position, facing))
            position = position + facing
        return [move for _, move in made]
