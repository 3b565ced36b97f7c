from heapq import heappop, heappush


class Cheapest:
    def solve(self, maze, search):
        costs, came_by, taken = {maze.entry: 0}, {}, set()
        heap = [(0, maze.entry)]
        while heap:
            cost, cell = heappop(heap)
            if cell in taken:
                continue
            taken.add(cell)
            if maze.is_exit(cell):
                return self.way(maze, came_by, cell)
            for move in maze.valid_moves_at(cell):
                other = cell + move
                total = cost + maze.cost_of(cell, move)
                if other not in costs or total < costs[other]:
                    costs[other] = total
                    came_by[other] = move
                    heappush(heap, (total, other))
        return None

    def way(self, maze, came_by, cell):
        moves = []
        while cell != maze.entry:
            moves.append(came_by[cell])
            cell = cell + came_by[cell].opposite()
        return moves[::-1]
