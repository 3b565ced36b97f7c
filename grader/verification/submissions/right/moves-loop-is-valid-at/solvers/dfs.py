from lab import MOVES, Solver


class DFS(Solver):
    def solve(self, maze, search):
        seen = set()

        def visit(position):
            if maze.is_exit(position):
                return []
            seen.add(position)
            for move in MOVES:
                if not maze.is_valid_at(position, move):
                    continue
                neighbour = position + move
                if neighbour not in seen:
                    rest = visit(neighbour)
                    if rest is not None:
                        return [move, *rest]
            return None

        return visit(maze.entry)
