from collections import defaultdict

from lab import Solver


def graph_of(maze):
    """The whole maze as an adjacency dictionary."""
    graph = {}
    for cell in maze.dimension.all_positions():
        graph[cell] = {cell + move: move for move in maze.valid_moves_at(cell)}
    return graph


class Dijkstra(Solver):
    def solve(self, maze, search):
        graph = graph_of(maze)
        distance = defaultdict(lambda: float("inf"))
        distance[maze.entry] = 0
        parent = {}
        pending = [maze.entry]
        while pending:
            cell = min(pending, key=distance.__getitem__)
            pending.remove(cell)
            if cell == maze.exit:
                way = []
                while cell in parent:
                    cell, move = parent[cell]
                    way.append(move)
                return way[::-1]
            for neighbour, move in graph[cell].items():
                if distance[cell] + 1 < distance[neighbour]:
                    distance[neighbour] = distance[cell] + 1
                    parent[neighbour] = (cell, move)
                    pending.append(neighbour)
        return None
