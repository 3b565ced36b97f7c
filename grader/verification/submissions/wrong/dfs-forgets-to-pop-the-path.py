from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        self.path, self.seen = [], set()
        return self.path if self.walk(maze, maze.entry) else None

    def walk(self, maze, cell):
        self.seen.add(cell)
        if cell == maze.exit:
            return True
        for move in maze.valid_moves_at(cell):
            if cell + move not in self.seen:
                self.path.append(move)
                if self.walk(maze, cell + move):
                    return True
        return False
