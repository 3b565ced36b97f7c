import lab


class MyGenerator(lab.Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_connected(dimension)
        self.divide(maze, 1, dimension.row_count)
        return maze

    def divide(self, maze, top, bottom):
        if top >= bottom:
            return
        wall = self.rng.randint(top, bottom - 1)
        for column in range(1, maze.dimension.column_count + 1):
            maze.build_wall((wall, column), lab.SOUTH)
        self.divide(maze, top, wall)
        self.divide(maze, wall + 1, bottom)
