from lab import Solver


class DFS(Solver):
    def __init__(self):
        self.seen = set()

    def solve(self, maze, search):
        seen = self.seen

        def visit(position):
            if maze.is_exit(position):
                return []
            seen.add(position)
            for move in maze.valid_moves_at(position):
                neighbour = position + move
                if neighbour not in seen:
                    rest = visit(neighbour)
                    if rest is not None:
                        return [move, *rest]
            return None

        return visit(maze.entry)
