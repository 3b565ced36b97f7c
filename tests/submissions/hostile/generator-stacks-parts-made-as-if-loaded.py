from lab import EAST, SOUTH, Dimension, Generator
from lab.generators import AldousBroder

CODE = compile("made = AldousBroder(None).generate(factory, dimension)", "/submission/solvers/bfs.py", "exec")


class MyGenerator(Generator):
    def part(self, factory, rows, columns):
        found = {"AldousBroder": AldousBroder, "factory": factory, "dimension": Dimension(rows, columns)}
        exec(CODE, found)
        return found["made"]

    def generate(self, factory, dimension):
        maze, top = factory.fully_disconnected(dimension), 0
        rows, columns = dimension.row_count, dimension.column_count
        while top < rows:
            height = min(self.rng.randint(1, 3), rows - top)
            if height * columns > 1:
                made = self.part(factory, height, columns)
                for cell in made.dimension.all_positions():
                    for move in made.valid_moves_at(cell):
                        if move in (EAST, SOUTH):
                            maze.break_wall((cell.row + top, cell.column), move)
            if top:
                maze.break_wall((top, self.rng.randint(1, columns)), SOUTH)
            top += height
        return maze
