import random

from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        seen = set()

        def visit(position):
            if maze.is_exit(position):
                return []
            seen.add(position)
            moves = list(maze.valid_moves_at(position))
            random.shuffle(moves)
            for move in moves:
                neighbour = position + move
                if neighbour not in seen:
                    rest = visit(neighbour)
                    if rest is not None:
                        return [move, *rest]
            return None

        return visit(maze.entry)
