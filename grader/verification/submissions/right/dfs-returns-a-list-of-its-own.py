from lab import Solver


class Way(list):
    def then(self, move):
        return Way([*self, move])


class DFS(Solver):
    def solve(self, maze, search):
        stack, seen = [(maze.entry, Way())], set()
        while stack:
            cell, way = stack.pop()
            if cell in seen:
                continue
            seen.add(cell)
            if maze.is_exit(cell):
                return way
            for move in reversed(maze.valid_moves_at(cell)):
                stack.append((cell + move, way.then(move)))
        return None
