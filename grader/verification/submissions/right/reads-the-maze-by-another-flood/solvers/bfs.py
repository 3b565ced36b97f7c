from collections import deque

from lab import Solver


class BFS(Solver):
    def solve(self, maze, search):
        self.graph = {}
        self.read(maze, maze.entry)
        goal, ways, queue = maze.exit, {maze.entry: []}, deque([maze.entry])
        while queue:
            cell = queue.popleft()
            if cell == goal:
                return ways[cell]
            for move, end in self.graph[cell]:
                if end not in ways:
                    ways[end] = [*ways[cell], move]
                    queue.append(end)
        return None

    def read(self, maze, cell):
        self.graph[cell] = [(move, cell + move) for move in maze.valid_moves_at(cell)]
        for _, end in self.graph[cell]:
            if end not in self.graph:
                self.read(maze, end)
