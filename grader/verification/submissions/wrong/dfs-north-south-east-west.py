from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        seen = set()

        def visit(position):
            if maze.is_exit(position):
                return []
            seen.add(position)
            for move in [m for m in ((-1, 0), (1, 0), (0, 1), (0, -1)) if maze.is_clear(position, m)]:
                neighbour = position + move
                if neighbour not in seen:
                    rest = visit(neighbour)
                    if rest is not None:
                        return [move, *rest]
            return None

        return visit(maze.entry)
