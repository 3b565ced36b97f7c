from collections import OrderedDict

from lab import Solver


def graph_of(maze):
    """The whole maze as an adjacency dictionary."""
    graph = {}
    for cell in maze.dimension.all_positions():
        graph[cell] = {cell + move: move for move in maze.valid_moves_at(cell)}
    return graph


class DFS(Solver):
    def solve(self, maze, search):
        graph = graph_of(maze)
        seen = OrderedDict()

        def walk(cell):
            seen[cell] = True
            if cell == maze.exit:
                return []
            for neighbour, move in graph[cell].items():
                if neighbour not in seen:
                    rest = walk(neighbour)
                    if rest is not None:
                        return [move] + rest
            return None

        return walk(maze.entry)
