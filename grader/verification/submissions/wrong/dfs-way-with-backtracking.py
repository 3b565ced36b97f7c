from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        steps, seen = [], {maze.entry}
        if self.walk(maze, maze.entry, steps, seen):
            return steps
        return None

    def walk(self, maze, cell, steps, seen):
        if maze.is_exit(cell):
            return True
        for move in maze.valid_moves_at(cell):
            if cell + move not in seen:
                seen.add(cell + move)
                steps.append(move)
                if self.walk(maze, cell + move, steps, seen):
                    return True
                steps.append(move.opposite())
        return False
