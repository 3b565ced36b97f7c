from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        self.seen, self.way = set(), []
        return self.way if self.visit(maze, maze.entry) else None

    def visit(self, maze, cell):
        if cell == maze.exit:
            return True
        self.seen.add(cell)
        for move in maze.valid_moves_at(cell):
            if cell + move not in self.seen:
                self.way.append(move)
                if self.visit(maze, cell + move):
                    return True
                self.way.pop()
        return False
