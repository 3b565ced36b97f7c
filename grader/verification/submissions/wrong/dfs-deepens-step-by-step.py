from lab import Solver

class DFS(Solver):
    def solve(self, maze, search):
        n = maze.dimension.position_count
        depth = 0
        while depth <= n:
            self.seen = {maze.entry}
            r = self.dls(maze, maze.entry, depth)
            if r is not None:
                return r
            depth += 1
        return None

    def dls(self, maze, cell, depth):
        if cell == maze.exit:
            return []
        if depth == 0:
            return None
        for m in maze.valid_moves_at(cell):
            n = cell + m
            if n in self.seen:
                continue
            self.seen.add(n)
            r = self.dls(maze, n, depth - 1)
            if r is not None:
                return [m] + r
            self.seen.remove(n)
        return None
