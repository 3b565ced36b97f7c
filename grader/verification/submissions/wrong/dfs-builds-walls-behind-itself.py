from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        if maze.is_exit(maze.entry):
            return []
        return self.walk(maze, maze.entry)

    def walk(self, maze, cell):
        if cell == maze.exit:
            return []
        moves = maze.valid_moves_at(cell)
        for move in moves:
            maze.build_wall(cell, move)
        for move in moves:
            rest = self.walk(maze, cell + move)
            if rest is not None:
                return [move, *rest]
        return None
