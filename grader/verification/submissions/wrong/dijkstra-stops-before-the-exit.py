import heapq

from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        distance = {maze.entry: 0}
        came_by = {maze.entry: None}
        found = 0
        heap = [(0, found, maze.entry)]
        done = set()
        while heap:
            cost, _, position = heapq.heappop(heap)
            if position in done:
                continue
            done.add(position)
            if position == maze.exit:
                return self.way_back(came_by, position)
            for move in maze.valid_moves_at(position):
                if position + move == maze.exit:
                    return self.way_back(came_by, position)
                neighbour = position + move
                if cost + 1 < distance.get(neighbour, float("inf")):
                    distance[neighbour] = cost + 1
                    came_by[neighbour] = move
                    found += 1
                    heapq.heappush(heap, (cost + 1, found, neighbour))
        return None

    def way_back(self, came_by, position):
        moves = []
        while came_by[position] is not None:
            move = came_by[position]
            moves.append(move)
            position = position + move.opposite()
        moves.reverse()
        return moves
