from heapq import heappop, heappush


class AStar:
    def solve(self, maze, search):
        if maze.exit is None:
            return None
        heap, taken, number = [(0, 0, 0, maze.entry, [])], set(), 0
        while heap:
            _, _, paid, cell, way = heappop(heap)
            if cell == maze.exit:
                return way
            if cell in taken:
                continue
            taken.add(cell)
            for move in maze.valid_moves_at(cell):
                number += 1
                price, other = paid + maze.cost_of(cell, move), cell + move
                ahead = abs(maze.exit.row - other.row) + abs(maze.exit.column - other.column)
                heappush(heap, (price + ahead, number, price, other, [*way, move]))
        return None
