from collections import defaultdict


class MazeGraph:
    def adjacency_list(self, maze):
        graph = defaultdict(list)
        for cell in maze.dimension.all_positions():
            graph[cell].extend(cell + move for move in maze.valid_moves_at(cell))
        return dict(graph)

    def adjacency_matrix(self, maze):
        neighbors = self.adjacency_list(maze)
        return [[int(other in reached) for other in neighbors] for reached in neighbors.values()]
