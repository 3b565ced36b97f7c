from lab import MOVES, Solver


class AStar(Solver):
    def solve(self, maze, _search):
        if not maze.has_exit():
            return None
        row, column = maze.exit
        ways, sums, done = {maze.entry: (0, None, None)}, {maze.entry: 0}, []
        while sums:
            here = min(sums, key=sums.get)
            del sums[here]
            done.append(here)
            if maze.is_exit(here):
                break
            for move in MOVES:
                if not maze.is_clear(here, move) or here + move in done:
                    continue
                there, cost = here + move, ways[here][0] + maze.cost_of(here, move)
                if there not in ways or cost < ways[there][0]:
                    ways[there] = (cost, here, move)
                    sums[there] = cost + abs(row - there[0]) + abs(column - there[1])
        else:
            return None
        moves, cell = [], maze.exit
        while ways[cell][1] is not None:
            moves = [ways[cell][2], *moves]
            cell = ways[cell][1]
        return moves
