from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        ways = dict(self.visits(maze, maze.entry, [], set()))
        return ways.get(maze.exit)

    def visits(self, maze, cell, way, seen):
        seen.add(cell)
        yield cell, way
        for move in maze.valid_moves_at(cell):
            if cell + move not in seen:
                yield from self.visits(maze, cell + move, way + [move], seen)
