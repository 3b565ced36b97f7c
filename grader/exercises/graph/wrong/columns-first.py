class MazeGraph:
    def adjacency_list(self, maze):
        return {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in maze.dimension.all_positions()}

    def adjacency_matrix(self, maze):
        cells = sorted(maze.dimension.all_positions(), key=lambda cell: (cell[1], cell[0]))
        graph = self.adjacency_list(maze)
        return [[int(other in graph[cell]) for other in cells] for cell in cells]
