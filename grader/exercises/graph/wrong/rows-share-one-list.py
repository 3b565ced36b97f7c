class MazeGraph:
    def adjacency_list(self, maze):
        return {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in maze.dimension.all_positions()}

    def adjacency_matrix(self, maze):
        cells = maze.dimension.all_positions()
        matrix = [[0] * len(cells)] * len(cells)
        for i, cell in enumerate(cells):
            for move in maze.valid_moves_at(cell):
                matrix[i][cells.index(cell + move)] = 1
        return matrix
