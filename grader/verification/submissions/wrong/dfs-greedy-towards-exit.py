from lab import Solver


class DFS(Solver):
    def far(self, cell, goal):
        return abs(cell.row - goal.row) + abs(cell.column - goal.column) if goal else 0

    def solve(self, maze, search):
        seen = set()

        def visit(position):
            if maze.is_exit(position):
                return []
            seen.add(position)
            for move in sorted(maze.valid_moves_at(position), key=lambda m: self.far(position + m, maze.exit)):
                neighbour = position + move
                if neighbour not in seen:
                    rest = visit(neighbour)
                    if rest is not None:
                        return [move, *rest]
            return None

        return visit(maze.entry)
