from lab import Generator, Maze, EAST, SOUTH


class MyGenerator(Generator):
    """The same comb for everybody; only entry and exit are drawn by lot."""

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        for cell in dimension.all_positions():
            if cell.column < dimension.column_count and cell.row == 1:
                maze.break_wall(cell, EAST)
            if cell.row < dimension.row_count:
                maze.break_wall(cell, SOUTH)
        lines = [line.replace("S", " ").replace("E", " ") for line in maze.to_text().split("\n")]
        one, other = self.rng.sample(dimension.all_positions(), 2)
        for cell, mark in ((one, "S"), (other, "E")):
            line = lines[2 * cell.row - 1]
            lines[2 * cell.row - 1] = line[: 2 * cell.column - 1] + mark + line[2 * cell.column :]
        return Maze(lines)
