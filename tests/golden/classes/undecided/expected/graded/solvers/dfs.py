class DFS:
    def solve(self, maze, search):
        return self.way(maze, maze.entry, {maze.entry})

    def way(self, maze, cell, seen):
        if maze.is_exit(cell):
            return []
        for move in maze.valid_moves_at(cell):
            if cell + move not in seen:
                seen.add(cell + move)
                rest = self.way(maze, cell + move, seen)
                if rest is not None:
                    return [move, *rest]
        return None
