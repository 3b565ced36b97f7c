from collections import deque

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
        stack, back = deque([maze.entry]), {maze.entry: None}
        while stack:
            cell = stack.pop()
            if cell == maze.exit:
                break
            for neighbour, move in reversed(graph[cell].items()):
                if neighbour not in back:
                    back[neighbour] = (cell, move)
                    stack.append(neighbour)
        else:
            return None
        way = []
        while back[cell]:
            cell, move = back[cell]
            way.append(move)
        return way[::-1]
