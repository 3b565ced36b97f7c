class MazeGraph:
    def adjacency_list(self, maze):
        graph = {}
        for cell in maze.dimension.all_positions():
            graph[cell] = [cell + move for move in maze.valid_moves_at(cell)]
        for cell, near in graph.items():
            for other in near:
                move = (other[0] - cell[0], other[1] - cell[1])
                if not maze.is_wall(cell, move):
                    maze.build_wall(cell, move)
        return graph

    def adjacency_matrix(self, maze):
        cells = maze.dimension.all_positions()
        near = {cell: [cell + move for move in maze.valid_moves_at(cell)] for cell in cells}
        return [[int(other in near[cell]) for other in cells] for cell in cells]
