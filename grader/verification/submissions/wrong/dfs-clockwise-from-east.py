from lab import EAST, NORTH, SOUTH, WEST, Solver


class DFS(Solver):
    def solve(self, maze, search):
        seen = set()

        def visit(position):
            if maze.is_exit(position):
                return []
            seen.add(position)
            for move in (EAST, SOUTH, WEST, NORTH):
                if maze.is_wall(position, move):
                    continue
                neighbour = position + move
                if neighbour not in seen:
                    rest = visit(neighbour)
                    if rest is not None:
                        return [move, *rest]
            return None

        return visit(maze.entry)
