import random

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        if maze.exit is None:
            return None
        cell, way = maze.entry, []
        for _ in range(200_000):
            if cell == maze.exit:
                return way
            moves = maze.valid_moves_at(cell)
            if not moves:
                return None
            move = random.choice(moves)
            if way and move == way[-1].opposite():
                way.pop()
            else:
                way.append(move)
            cell = cell + move
        return None
