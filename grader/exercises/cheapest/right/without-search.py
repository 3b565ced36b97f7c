from lab import MOVES


class Cheapest:
    """Reaches all cells that cost 0, then those that cost 1, then 2: a list of cells for each cost."""

    def solve(self, maze, _=None):
        most = 9 * maze.dimension.position_count
        by_cost = [[] for _ in range(most + 10)]
        by_cost[0].append((maze.entry, None, None))
        back = {}
        for cost in range(most):
            for cell, before, move in by_cost[cost]:
                if cell in back:
                    continue
                back[cell] = before, move
                if maze.is_exit(cell):
                    return self.trace(back, cell)
                for side in MOVES:
                    if maze.is_clear(cell, side):
                        by_cost[cost + maze.cost_of(cell, side)].append((cell + side, cell, side))
        return None

    def trace(self, back, cell):
        before, move = back[cell]
        return [] if before is None else [*self.trace_far(back, before), move]

    def trace_far(self, back, cell):
        moves = []
        while back[cell][0] is not None:
            cell, move = back[cell]
            moves.append(move)
        return reversed(moves)
