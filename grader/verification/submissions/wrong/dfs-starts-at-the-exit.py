from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        seen = set()

        def visit(position):
            if position == maze.entry:
                return []
            seen.add(position)
            for move in maze.valid_moves_at(position):
                neighbour = position + move
                if neighbour not in seen:
                    rest = visit(neighbour)
                    if rest is not None:
                        return [move, *rest]
            return None

        if maze.exit is None:
            return None
        way = visit(maze.exit)
        return way and [move.opposite() for move in reversed(way)]
