from lab import Solver


class Cheapest(Solver):
    def solve(self, maze, search):
        best = {maze.entry: (0, [])}
        open_cells = [maze.entry]
        closed = []
        while open_cells:
            here = min(open_cells, key=lambda cell: best[cell][0])
            open_cells.remove(here)
            closed.append(here)
            cost, moves = best[here]
            if here == maze.exit:
                return moves
            for move in maze.valid_moves_at(here):
                there = here + move
                price = cost + maze.cost_of(here, move)
                if there not in best:
                    open_cells.append(there)
                    best[there] = (price, moves + [move])
                elif price < best[there][0]:
                    best[there] = (price, moves + [move])
        return None
