from lab import MOVES, NORTH, EAST, SOUTH, WEST, Solver, Vector

class DFS(Solver):
    def solve(self, maze, search):
        seen, path = set(), []
        def go(cell):
            seen.add(cell)
            if cell == maze.exit:
                return True
            for m in MOVES:
                if cell + m not in seen and maze.dimension.includes(cell + m) and maze.is_clear(cell, m):
                    path.append(m)
                    if go(cell + m):
                        return True
                    path.pop()
            return False
        return path if go(maze.entry) else None
