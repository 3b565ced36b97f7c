MOVES = [(-1, 0), (0, 1), (1, 0), (0, -1)]


class DFS:
    def solve(self, maze, search):
        self.maze, self.seen = maze, set()
        start = (maze.entry.row, maze.entry.column)
        return self.go(start)

    def go(self, cell):
        self.seen.add(cell)
        if self.maze.is_exit(cell):
            return []
        row, column = cell
        for move in MOVES:
            following = (row + move[0], column + move[1])
            if self.maze.is_valid_at(cell, move) and following not in self.seen:
                rest = self.go(following)
                if rest is not None:
                    return [move] + rest
        return None
