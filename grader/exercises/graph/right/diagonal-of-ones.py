from lab import MOVES


class MazeGraph:
    def adjacency_list(self, maze):
        graph = {}
        for row in range(1, maze.dimension.row_count + 1):
            for column in range(1, maze.dimension.column_count + 1):
                near = [(row + r, column + c) for r, c in MOVES if maze.is_clear((row, column), (r, c))]
                graph[row, column] = tuple(near)
        return graph

    def adjacency_matrix(self, maze):
        graph = self.adjacency_list(maze)
        return tuple(tuple(one == other or other in near for other in graph) for one, near in graph.items())
