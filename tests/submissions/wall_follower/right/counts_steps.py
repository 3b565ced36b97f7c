from lab import MOVES


class WallFollower:
    """Gives up when it has made more moves than there are cells with four ways to face."""

    def solve(self, maze, search):
        position, side, moves = maze.entry, 0, []
        for _ in range(4 * maze.dimension.position_count + 1):
            if maze.is_exit(position):
                return moves
            side = (side + 1) % 4
            for _ in range(4):
                if MOVES[side] in maze.valid_moves_at(position):
                    break
                side = (side - 1) % 4
            else:
                return None
            moves.append(MOVES[side])
            position = position + MOVES[side]
        return None
