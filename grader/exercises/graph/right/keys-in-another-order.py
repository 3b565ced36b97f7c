class MazeGraph:
    def adjacency_list(self, maze):
        found = {}
        for cell in reversed(maze.dimension.all_positions()):
            found[cell] = [cell + move for move in maze.valid_moves_at(cell)]
        return found

    def adjacency_matrix(self, maze):
        neighbors, cells = self.adjacency_list(maze), maze.dimension.all_positions()
        return [[int(other in neighbors[cell]) for other in cells] for cell in cells]
