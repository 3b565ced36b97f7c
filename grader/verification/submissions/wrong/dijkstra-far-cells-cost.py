import heapq
from itertools import count

from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        numbers = count()
        costs, came_by = {maze.entry: 0}, {maze.entry: None}
        heap = [(0, next(numbers), maze.entry)]
        done = set()
        while heap:
            _, _, here = heapq.heappop(heap)
            if here in done:
                continue
            done.add(here)
            if maze.is_exit(here):
                return self.way(came_by, here)
            for move in maze.valid_moves_at(here):
                there = here + move
                cost = costs[here] + self.cost(maze, here, move, came_by[here])
                if there not in costs or cost < costs[there]:
                    costs[there], came_by[there] = cost, move
                    heapq.heappush(heap, (cost, next(numbers), there))
        return None

    def cost(self, maze, here, move, before):
        return 1 + (abs(here.row - maze.entry.row) + abs(here.column - maze.entry.column)) / 4

    def way(self, came_by, here):
        moves = []
        while came_by[here] is not None:
            moves.append(came_by[here])
            here = here + came_by[here].opposite()
        return moves[::-1]
