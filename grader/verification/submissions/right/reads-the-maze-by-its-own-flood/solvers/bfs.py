from collections import deque

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        graph = self.read(maze)
        came_by, queue = {maze.entry: None}, deque([maze.entry])
        while queue:
            cell = queue.popleft()
            if cell == maze.exit:
                return self.way_back(came_by, cell)
            for move in graph[cell]:
                if cell + move not in came_by:
                    came_by[cell + move] = move
                    queue.append(cell + move)
        return None

    def read(self, maze):
        graph, queue = {}, deque([maze.entry])
        while queue:
            cell = queue.popleft()
            if cell not in graph:
                graph[cell] = maze.valid_moves_at(cell)
                queue.extend(cell + move for move in graph[cell])
        return graph

    def way_back(self, came_by, cell):
        moves = []
        while came_by[cell] is not None:
            moves.append(came_by[cell])
            cell = cell + came_by[cell].opposite()
        return moves[::-1]
