class MazeGraph:
    def adjacency_list(self, maze):
        return {cell: sorted(cell + move for move in maze.valid_moves_at(cell)) for cell in maze.dimension.all_positions()}

    def adjacency_matrix(self, maze):
        cells = maze.dimension.all_positions()
        near = {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in cells}
        return [[int(other in near[cell]) for other in cells] for cell in cells]
