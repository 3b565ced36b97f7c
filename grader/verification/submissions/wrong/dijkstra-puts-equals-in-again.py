import heapq
from itertools import count

from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        numbers = count()
        known = {maze.entry: 0}
        heap = [(0, next(numbers), maze.entry, [])]
        while heap:
            so_far, _, cell, moves = heapq.heappop(heap)
            if cell == maze.exit:
                return moves
            for move in maze.valid_moves_at(cell):
                if so_far + 1 <= known.get(cell + move, so_far + 1):
                    known[cell + move] = so_far + 1
                    heapq.heappush(heap, (so_far + 1, next(numbers), cell + move, moves + [move]))
        return None
