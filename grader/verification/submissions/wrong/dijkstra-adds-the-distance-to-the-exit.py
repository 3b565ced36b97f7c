from heapq import heappop, heappush
from itertools import count

from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        goal, numbers = maze.exit, count()
        heap, closed = [(0, 0, maze.entry, ())], set()
        while heap:
            _, _, cell, way = heappop(heap)
            if cell == goal:
                return list(way)
            if cell in closed:
                continue
            closed.add(cell)
            for move in maze.valid_moves_at(cell):
                end = cell + move
                left = 0 if goal is None else max(abs(goal.row - end.row), abs(goal.column - end.column))
                entry = (len(way) + 1 + left, next(numbers), end, (*way, move))
                heappush(heap, entry)
        return None
