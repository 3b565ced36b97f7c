import heapq
from itertools import count


class Dijkstra:
    def solve(self, maze, search):
        number = count()
        heap = [(0, next(number), (maze.entry[0], maze.entry[1]), ())]
        best = {heap[0][2]: 0}
        while heap:
            cost, _, (row, column), way = heapq.heappop(heap)
            if cost > best[row, column]:
                continue
            if maze.exit == (row, column):
                moves = []
                while way:
                    way, move = way
                    moves.append(move)
                return moves[::-1]
            for dr, dc in maze.valid_moves_at((row, column)):
                target = row + dr, column + dc
                if target not in best or cost + 1 < best[target]:
                    best[target] = cost + 1
                    heapq.heappush(heap, (cost + 1, next(number), target, (way, (dr, dc))))
        return None
