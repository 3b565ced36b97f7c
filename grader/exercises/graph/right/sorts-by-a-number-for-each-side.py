class MazeGraph:
    def adjacency_list(self, maze):
        cells = maze.dimension.all_positions()
        graph = {}
        for one in cells:
            order = sorted((one[0] - other[0]) * -2 if one[1] == other[1] else (0 if other[1] > one[1] else 3)
                           for other in self.near(maze, one))
            graph[one] = [self.at(one, place) for place in order]
        return graph

    def near(self, maze, one):
        return [one + move for move in maze.valid_moves_at(one)]

    def at(self, one, place):
        row, column = one
        return {-2: (row - 1, column), 0: (row, column + 1), 2: (row + 1, column), 3: (row, column - 1)}[place]

    def adjacency_matrix(self, maze):
        neighbors = self.adjacency_list(maze)
        return [[int(other in reached) for other in neighbors] for reached in neighbors.values()]
