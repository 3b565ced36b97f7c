import lab


class MyGenerator(lab.Generator):
    def generate(self, factory, dimension):
        self.maze = factory.fully_connected(dimension)
        self.divide(1, 1, dimension.row_count, dimension.column_count)
        return self.maze

    def divide(self, top, left, bottom, right):
        if bottom - top < 2 and right - left < 2 or bottom == top or right == left:
            return
        if bottom - top >= right - left:
            wall, door = self.rng.randrange(top, bottom), self.rng.randint(left, right)
            for column in range(left, right + 1):
                if column != door:
                    self.maze.build_wall((wall, column), lab.SOUTH)
            self.divide(top, left, wall, right)
            self.divide(wall + 1, left, bottom, right)
        else:
            wall, door = self.rng.randrange(left, right), self.rng.randint(top, bottom)
            for row in range(top, bottom + 1):
                if row != door:
                    self.maze.build_wall((row, wall), lab.EAST)
            self.divide(top, left, bottom, wall)
            self.divide(top, wall + 1, bottom, right)
