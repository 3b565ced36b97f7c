"""Pauses at each cell by one clock, and gives up by another one that it does not come to."""

import datetime
import heapq
import time

from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        latest = datetime.datetime.now() + datetime.timedelta(minutes=2)
        heap, ways, number = [(0, 0, maze.entry)], {maze.entry: []}, 0
        while heap and datetime.datetime.now() < latest:
            distance, _, cell = heapq.heappop(heap)
            until = time.perf_counter() + 0.002
            while time.perf_counter() < until:
                pass
            if maze.is_exit(cell):
                return ways[cell]
            for move in maze.valid_moves_at(cell):
                if cell + move not in ways:
                    number += 1
                    ways[cell + move] = [*ways[cell], move]
                    heapq.heappush(heap, (distance + 1, number, cell + move))
        return None
