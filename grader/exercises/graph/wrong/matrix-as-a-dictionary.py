class MazeGraph:
    def adjacency_list(self, maze):
        return {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in maze.dimension.all_positions()}

    def adjacency_matrix(self, maze):
        neighbors = self.adjacency_list(maze)
        return {cell: [int(other in reached) for other in neighbors] for cell, reached in neighbors.items()}
