from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        return self.walk(maze, maze.entry, None)

    def walk(self, maze, cell, back):
        if maze.is_exit(cell):
            return []
        for move in maze.valid_moves_at(cell):
            if move != back:
                rest = self.walk(maze, cell + move, move.opposite())
                if rest is not None:
                    return [move] + rest
        return None
