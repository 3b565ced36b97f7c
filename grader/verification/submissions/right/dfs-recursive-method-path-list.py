import lab


class DFS(lab.Solver):
    def solve(self, maze, search):
        self.maze = maze
        self.visited = set()
        self.path = []
        if self.search_from(maze.entry):
            return self.path
        return None

    def search_from(self, position):
        self.visited.add(position)
        if self.maze.is_exit(position):
            return True
        for move in self.maze.valid_moves_at(position):
            if position + move in self.visited:
                continue
            self.path.append(move)
            if self.search_from(position + move):
                return True
            self.path.pop()
        return False
