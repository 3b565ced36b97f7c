"""All states first, and for each the one that follows; then from the first to an exit, or round."""

from lab import MOVES, NORTH, Vector


class WallFollower:
    def solve(self, maze, search):
        follows = {}
        for row in range(1, maze.dimension.row_count + 1):
            for column in range(1, maze.dimension.column_count + 1):
                for side in range(4):
                    cell = Vector(row, column)
                    follows[cell, side] = self.next_side(maze, cell, side)
        state, walk = (maze.entry, MOVES.index(NORTH)), []
        while not maze.is_exit(state[0]) and len(walk) <= len(follows):
            side = follows[state]
            if side is None:
                return None
            walk += [MOVES[side]]
            state = (state[0] + MOVES[side], side)
        return walk if maze.is_exit(state[0]) else None

    def next_side(self, maze, cell, side):
        for turn in (1, 0, -1, 2):
            if maze.is_clear(cell, MOVES[(side + turn) % 4]):
                return (side + turn) % 4
        return None
