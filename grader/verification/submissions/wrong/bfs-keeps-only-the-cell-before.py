from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        queue = [(maze.entry, None, [])]
        while queue:
            cell, back, way = queue.pop(0)
            if cell == maze.exit:
                return way
            for move in maze.valid_moves_at(cell):
                if move != back:
                    queue.append((cell + move, move.opposite(), way + [move]))
        return None
