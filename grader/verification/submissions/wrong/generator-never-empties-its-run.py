from lab import EAST, NORTH, Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        for row in range(1, dimension.row_count + 1):
            run = []
            for column in range(1, dimension.column_count + 1):
                run.append((row, column))
                last = column == dimension.column_count
                if row > 1 and (last or self.rng.random() < 0.4):
                    maze.break_wall(self.rng.choice(run), NORTH)
                elif not last:
                    maze.break_wall((row, column), EAST)
        return maze
