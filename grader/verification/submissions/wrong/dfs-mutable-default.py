from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        return self.walk(maze, maze.entry)

    def walk(self, maze, cell, seen=[], path=()):
        if cell == maze.exit:
            return list(path)
        seen.append(cell)
        for move in maze.valid_moves_at(cell):
            if cell + move not in seen:
                found = self.walk(maze, cell + move, path=path + (move,))
                if found is not None:
                    return found
        return None
