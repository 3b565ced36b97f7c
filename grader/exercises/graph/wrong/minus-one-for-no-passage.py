class MazeGraph:
    def adjacency_list(self, maze):
        return {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in maze.dimension.all_positions()}

    def adjacency_matrix(self, maze):
        neighbors = self.adjacency_list(maze)
        return [[1 if other in reached else -1 for other in neighbors] for reached in neighbors.values()]
