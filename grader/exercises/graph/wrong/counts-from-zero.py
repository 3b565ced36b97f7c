class MazeGraph:
    def adjacency_list(self, maze):
        return {
            (row - 1, column - 1): [(row - 1 + a, column - 1 + b) for a, b in maze.valid_moves_at((row, column))]
            for row, column in maze.dimension.all_positions()
        }

    def adjacency_matrix(self, maze):
        cells = maze.dimension.all_positions()
        near = {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in cells}
        return [[int(other in near[cell]) for other in cells] for cell in cells]
