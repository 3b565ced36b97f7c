from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        self.moves, self.seen = [], set()
        return self.reaches_the_exit(maze, maze.entry)

    def reaches_the_exit(self, maze, cell):
        self.seen.add(cell)
        if maze.is_exit(cell):
            return True
        for move in maze.valid_moves_at(cell):
            if cell + move not in self.seen:
                self.moves.append(move)
                if self.reaches_the_exit(maze, cell + move):
                    return True
                self.moves.pop()
        return False
