from lab import EAST, NORTH, SOUTH, WEST


class MazeGraph:
    def adjacency_list(self, maze):
        graph = {}
        for cell in maze.dimension.all_positions():
            near = []
            if maze.is_clear(cell, NORTH):
                near.append(cell + NORTH)
            if maze.is_clear(cell, EAST):
                near.append(cell + EAST)
            if maze.is_clear(cell, SOUTH):
                near.append(cell + SOUTH)
            if maze.is_clear(cell, WEST):
                near.append(cell + WEST)
            graph[cell] = near
        return graph

    def adjacency_matrix(self, maze):
        neighbors = self.adjacency_list(maze)
        return [[int(other in reached) for other in neighbors] for reached in neighbors.values()]
