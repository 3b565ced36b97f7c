import heapq
from itertools import count
from lab import MOVES, NORTH, EAST, SOUTH, WEST, Solver, Vector

class Dijkstra(Solver):
    def solve(self, maze, search):
        number = count()
        best = {maze.entry: 0}
        via = {maze.entry: None}
        heap = [(0, next(number), maze.entry)]
        done = set()
        while heap:
            d, _, cell = heapq.heappop(heap)
            if cell in done:
                continue
            done.add(cell)
            if cell == maze.exit:
                way = []
                while via[cell] is not None:
                    way.append(via[cell])
                    cell = cell + via[cell].opposite()
                return way[::-1]
            for m in MOVES:
                n = cell + m
                if n in done or not (maze.dimension.includes(cell + m) and maze.is_clear(cell, m)):
                    continue
                if n not in best or d + 1 < best[n]:
                    best[n] = d + 1
                    via[n] = m
                    heapq.heappush(heap, (d + 1, next(number), n))
        return None
