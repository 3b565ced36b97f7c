from collections import deque

from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        moves = self.read(maze)
        goal, seen, way = maze.exit, {maze.entry}, []

        def visit(cell):
            if cell == goal:
                return True
            for move in reversed(moves[cell]):
                if cell + move not in seen:
                    seen.add(cell + move)
                    way.append(move)
                    if visit(cell + move):
                        return True
                    way.pop()
            return False

        return way if visit(maze.entry) else None

    def read(self, maze):
        moves, queue = {}, deque([maze.entry])
        while queue:
            cell = queue.popleft()
            if cell not in moves:
                moves[cell] = maze.valid_moves_at(cell)
                queue.extend(cell + move for move in moves[cell])
        return moves
