from lab import MOVES, Solver


class BFS(Solver):
    def solve(self, maze, search):
        ways, queue = {maze.entry: []}, [maze.entry]
        for cell in queue:
            if maze.is_exit(cell):
                return ways[cell]
            for move in MOVES:
                if move in maze.valid_moves_at(cell) and cell + move not in ways:
                    ways[cell + move] = ways[cell] + [move, move]
                    queue.append(cell + move)
        return None
