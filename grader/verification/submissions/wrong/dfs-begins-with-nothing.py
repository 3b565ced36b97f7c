from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        seen = {maze.entry}
        stack = []
        while stack:
            cell, moves = stack.pop()
            if maze.is_exit(cell):
                return moves
            for move in maze.valid_moves_at(cell)[::-1]:
                if cell + move not in seen:
                    seen.add(cell + move)
                    stack.append((cell + move, moves + [move]))
        return None
