from lab import MOVES, NORTH, EAST, SOUTH, WEST, Solver, Vector

class DFS(Solver):
    path = []
    def solve(self, maze, search):
        seen, path = set(), self.path
        def go(cell):
            seen.add(cell)
            if maze.is_exit(cell):
                return True
            for m in MOVES:
                if maze.is_valid_at(cell, m) and cell + m not in seen:
                    path.append(m)
                    if go(cell + m):
                        return True
                    path.pop()
            return False
        return path if go(maze.entry) else None
