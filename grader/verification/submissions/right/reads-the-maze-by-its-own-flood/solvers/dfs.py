from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        self.graph = {}
        self.read(maze, maze.entry)
        return self.walk(maze, maze.entry, {maze.entry})

    def read(self, maze, cell):
        self.graph[cell] = maze.valid_moves_at(cell)
        for move in self.graph[cell]:
            if cell + move not in self.graph:
                self.read(maze, cell + move)

    def walk(self, maze, cell, seen):
        if maze.is_exit(cell):
            return []
        for move in self.graph[cell]:
            if cell + move not in seen:
                seen.add(cell + move)
                rest = self.walk(maze, cell + move, seen)
                if rest is not None:
                    return [move, *rest]
        return None
