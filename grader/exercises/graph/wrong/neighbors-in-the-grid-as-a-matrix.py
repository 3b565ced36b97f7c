class MazeGraph:
    def adjacency_list(self, maze):
        return {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in maze.dimension.all_positions()}

    def adjacency_matrix(self, maze):
        cells = maze.dimension.all_positions()
        return [[int(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1) for b in cells] for a in cells]
