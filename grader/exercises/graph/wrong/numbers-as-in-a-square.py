class MazeGraph:
    def adjacency_list(self, maze):
        return {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in maze.dimension.all_positions()}

    def adjacency_matrix(self, maze):
        count, rows = maze.dimension.position_count, maze.dimension.row_count
        matrix = [[0] * count for _ in range(count)]
        for (row, column), near in self.adjacency_list(maze).items():
            for other in near:
                i, j = (row - 1) * rows + column - 1, (other[0] - 1) * rows + other[1] - 1
                matrix[i % count][j % count] = 1
        return matrix
