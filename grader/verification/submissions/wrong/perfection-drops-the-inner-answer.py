class PerfectionChecker:
    def is_perfect(self, maze):
        visited = []
        if not self.check(maze, maze.entry, None, visited):
            return False
        return len(visited) == maze.dimension.position_count

    def check(self, maze, cell, parent, visited):
        visited.append(cell)
        for move in maze.valid_moves_at(cell):
            n = cell + move
            if n == parent:
                continue
            if n in visited:
                return False
            self.check(maze, n, cell, visited)
        return True
