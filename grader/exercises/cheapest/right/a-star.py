import heapq
import itertools


class Cheapest:
    def solve(self, maze, search):
        goal = maze.exit
        if goal is None:
            return None
        count = itertools.count()
        paid = {maze.entry: 0}
        parents = {maze.entry: None}
        heap = [(0, next(count), maze.entry)]
        while heap:
            _, _, cell = heapq.heappop(heap)
            if cell == goal:
                break
            for move in maze.valid_moves_at(cell):
                neighbour = cell + move
                price = paid[cell] + maze.cost_of(cell, move)
                if price < paid.get(neighbour, float("inf")):
                    paid[neighbour] = price
                    parents[neighbour] = (cell, move)
                    estimate = abs(goal.row - neighbour.row) + abs(goal.column - neighbour.column)
                    heapq.heappush(heap, (price + estimate, next(count), neighbour))
        else:
            return None
        moves = []
        while parents[goal] is not None:
            goal, move = parents[goal]
            moves.insert(0, move)
        return moves
