class MazeGraph:
    def adjacency_list(self, maze):
        return {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in maze.dimension.all_positions()}

    def adjacency_matrix(self, maze):
        edges = {(one, other) for one, near in self.adjacency_list(maze).items() for other in near}
        cells = maze.dimension.all_positions()
        return [[int((one, other) in edges) for other in cells] for one in cells]
