import heapq
import itertools


class AStar:
    def solve(self, maze, search):
        goal = maze.exit
        if goal is None:
            return None
        count = itertools.count()
        paid, parents, closed = {maze.entry: 0}, {}, set()
        heap = [(0, next(count), maze.entry)]
        while heap:
            _, _, cell = heapq.heappop(heap)
            if cell == goal:
                way = []
                while cell in parents:
                    cell, move = parents[cell]
                    way.append(move)
                return way[::-1]
            if cell in closed:
                continue
            closed.add(cell)
            for move in maze.valid_moves_at(cell):
                other = cell + move
                price = paid[cell] + maze.cost_of(cell, move)
                if price < paid.get(other, float("inf")):
                    paid[other] = price
                    parents[other] = (cell, move)
                    heapq.heappush(heap, (price + self.estimate(other, goal), next(count), other))
        return None

    def estimate(self, cell, goal):
        return abs(goal.row - cell.row) + abs(goal.column - cell.column)
