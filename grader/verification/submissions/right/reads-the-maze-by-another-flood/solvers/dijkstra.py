import heapq

from lab import Solver


class Dijkstra(Solver):
    def solve(self, maze, search):
        graph, goal = self.read(maze), maze.exit
        found, heap, came_by = 0, [(0, 0, maze.entry)], {maze.entry: None}
        while heap:
            cost, _, cell = heapq.heappop(heap)
            if cell == goal:
                return self.way_back(came_by, cell)
            for move in graph[cell]:
                if cell + move not in came_by:
                    found += 1
                    came_by[cell + move] = move
                    heapq.heappush(heap, (cost + 1, found, cell + move))
        return None

    def read(self, maze):
        graph, stack = {}, [maze.entry]
        while stack:
            cell = stack.pop()
            if cell not in graph:
                graph[cell] = [move for move in maze.moves_at(cell) if maze.is_clear(cell, move)]
                stack.extend(cell + move for move in graph[cell])
        return graph

    def way_back(self, came_by, cell):
        moves = []
        while came_by[cell] is not None:
            moves.append(came_by[cell])
            cell = cell + came_by[cell].opposite()
        return moves[::-1]
