from heapq import heappop, heappush
from itertools import count

from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        order = count()
        heap, settled = [(0, next(order), maze.entry, ())], set()
        while heap:
            length, _, cell, way = heappop(heap)
            if cell in settled:
                continue
            settled.add(cell)
            if cell == maze.exit:
                return way
            for move in maze.valid_moves_at(cell):
                heappush(heap, (length + 1, next(order), cell + move, (*way, move)))
