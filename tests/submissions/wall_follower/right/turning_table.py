from lab import EAST, NORTH, SOUTH, WEST, Solver

RIGHT_OF = {NORTH: EAST, EAST: SOUTH, SOUTH: WEST, WEST: NORTH}


class WallFollower(Solver):
    def solve(self, maze, search):
        here, facing = maze.entry, NORTH
        walk, seen = [], set()
        while here != maze.exit:
            if (here, facing) in seen:
                return None
            seen.add((here, facing))
            right = RIGHT_OF[facing]
            back = RIGHT_OF[right]
            left = RIGHT_OF[back]
            for move in (right, facing, left, back):
                if maze.is_valid_at(here, move) and not maze.is_wall(here, move):
                    walk.append(move)
                    here = here + move
                    facing = move
                    break
            else:
                return None
        return tuple(walk)
