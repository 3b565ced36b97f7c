from collections import deque

from lab import Solver


def graph_of(maze):
    """The whole maze as an adjacency dictionary."""
    graph = {}
    for cell in maze.dimension.all_positions():
        graph[cell] = {cell + move: move for move in maze.valid_moves_at(cell)}
    return graph


class BFS(Solver):
    def solve(self, maze, search):
        graph = graph_of(maze)
        queue = deque([(maze.entry, [])])
        seen = {maze.entry}
        while queue:
            cell, way = queue.popleft()
            if cell == maze.exit:
                return way
            for neighbour, move in graph[cell].items():
                if neighbour not in seen:
                    seen.add(neighbour)
                    queue.append((neighbour, way + [move]))
        return None
