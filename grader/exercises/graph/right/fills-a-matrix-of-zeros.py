class MazeGraph:
    def adjacency_list(self, maze):
        return {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in maze.dimension.all_positions()}

    def adjacency_matrix(self, maze):
        cells = maze.dimension.all_positions()
        number = {cell: index for index, cell in enumerate(cells)}
        matrix = [[0] * len(cells) for _ in cells]
        for cell in cells:
            for move in maze.valid_moves_at(cell):
                matrix[number[cell]][number[cell + move]] = 1
        return matrix
