class MazeGraph:
    def adjacency_list(self, maze):
        graph = {}
        for cell in maze.dimension.all_positions():
            graph[cell] = [cell + move for move in maze.valid_moves_at(cell)]
        return graph

    def adjacency_matrix(self, maze):
        graph = {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in maze.dimension.all_positions()}
        matrix = [[int(other in graph[cell]) for other in graph] for cell in graph]
        return matrix
