from heapq import heappop, heappush


class Toll:
    def solve(self, maze, search):
        heap, taken, number = [(0, 0, maze.entry, [])], set(), 0
        while heap:
            cost, _, cell, way = heappop(heap)
            if maze.is_exit(cell):
                return way
            if cell in taken:
                continue
            taken.add(cell)
            for move in maze.valid_moves_at(cell):
                number += 1
                heappush(heap, (cost + maze.cost_of(cell, move), number, cell + move, [*way, move]))
        return None
