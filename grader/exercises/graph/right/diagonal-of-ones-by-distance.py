class MazeGraph:
    def adjacency_list(self, maze):
        return {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in maze.dimension.all_positions()}

    def adjacency_matrix(self, maze):
        cells = maze.dimension.all_positions()
        graph = self.adjacency_list(maze)
        return [[1 if one == other or other in graph[one] else 0 for other in cells] for one in cells]
