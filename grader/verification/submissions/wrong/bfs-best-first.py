from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        if maze.exit is None:
            return None
        waiting, ways = [maze.entry], {maze.entry: []}
        while waiting:
            cell = min(waiting, key=lambda c: abs(c.row - maze.exit.row) + abs(c.column - maze.exit.column))
            waiting.remove(cell)
            if cell == maze.exit:
                return ways[cell]
            for move in maze.valid_moves_at(cell):
                if cell + move not in ways:
                    ways[cell + move] = ways[cell] + [move]
                    waiting.append(cell + move)
        return None
