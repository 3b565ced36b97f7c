class MazeGraph:
    def adjacency_list(self, maze):
        return {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in maze.dimension.all_positions()}

    def adjacency_matrix(self, maze):
        graph = self.adjacency_list(maze)
        return [[int(other in graph[cell] and other > cell) for other in graph] for cell in graph]
