import lab


class MyGenerator(lab.Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_connected(dimension)
        self.divide(maze, 1, 1, dimension.row_count, dimension.column_count)
        return maze

    def divide(self, maze, top, left, bottom, right):
        height, width = bottom - top + 1, right - left + 1
        if height == 1 or width == 1:
            return
        if height > width or (height == width and self.rng.random() < 0.5):
            wall = self.rng.randint(top, bottom - 1)
            door = self.rng.randint(left, right)
            for column in range(left, right + 1):
                if column != door:
                    maze.build_wall((wall, column), lab.SOUTH)
            self.divide(maze, top, left, wall, right)
            self.divide(maze, wall + 1, left, bottom, right)
        else:
            wall = self.rng.randint(left, right - 1)
            door = self.rng.randint(top, bottom)
            for row in range(top, bottom + 1):
                if row != door:
                    maze.build_wall((row, wall), lab.EAST)
            self.divide(maze, top, left, bottom, wall)
            self.divide(maze, top, wall + 1, bottom, right)
