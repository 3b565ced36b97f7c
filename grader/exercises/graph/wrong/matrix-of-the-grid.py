class MazeGraph:
    def adjacency_list(self, maze):
        return {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in maze.dimension.all_positions()}

    def adjacency_matrix(self, maze):
        rows, columns = maze.dimension.row_count, maze.dimension.column_count
        return [[len(maze.valid_moves_at((r, c))) for c in range(1, columns + 1)] for r in range(1, rows + 1)]
