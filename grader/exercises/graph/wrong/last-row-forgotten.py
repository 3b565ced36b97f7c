class MazeGraph:
    def adjacency_list(self, maze):
        graph = {}
        for cell in maze.dimension.all_positions():
            if cell[0] < maze.dimension.row_count or maze.dimension.row_count == 1:
                graph[cell] = [cell + move for move in maze.valid_moves_at(cell)]
        return graph

    def adjacency_matrix(self, maze):
        cells = maze.dimension.all_positions()
        near = {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in cells}
        return [[int(other in near[cell]) for other in cells] for cell in cells]
