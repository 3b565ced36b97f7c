from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        found = False
        way = []
        stack, seen = [(maze.entry, [])], set()
        while stack:
            cell, so_far = stack.pop()
            if cell in seen:
                continue
            seen.add(cell)
            if cell == maze.exit:
                found, way = True, so_far
                continue
            for move in maze.valid_moves_at(cell)[::-1]:
                stack.append((cell + move, so_far + [move]))
        return way if found else None
