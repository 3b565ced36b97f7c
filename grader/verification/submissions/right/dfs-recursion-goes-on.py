from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        self.answer = None
        self.seen = {maze.entry}
        self.walk(maze, maze.entry, [])
        return self.answer

    def walk(self, maze, cell, path):
        if cell == maze.exit:
            self.answer = path[:]
        for move in maze.valid_moves_at(cell):
            if cell + move not in self.seen:
                self.seen.add(cell + move)
                path.append(move)
                self.walk(maze, cell + move, path)
                path.pop()
