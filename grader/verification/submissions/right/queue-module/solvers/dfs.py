from queue import LifoQueue

from lab import Solver


class DFS(Solver):
    def solve(self, maze, search):
        stack = LifoQueue()
        stack.put(maze.entry)
        way = {maze.entry: (None, None)}
        while not stack.empty():
            cell = stack.get()
            if maze.is_exit(cell):
                moves = []
                while way[cell][0] is not None:
                    cell, move = way[cell]
                    moves.append(move)
                return moves[::-1]
            for move in maze.valid_moves_at(cell)[::-1]:
                if cell + move not in way:
                    way[cell + move] = (cell, move)
                    stack.put(cell + move)
        return None
