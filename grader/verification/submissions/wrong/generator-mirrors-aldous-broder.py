from lab import Generator
from lab.generators import AldousBroder


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        theirs = AldousBroder(self.rng).generate(factory, dimension)
        mine = factory.fully_disconnected(dimension)
        last = dimension.column_count + 1
        for cell in dimension.all_positions():
            for move in theirs.valid_moves_at(cell):
                mine.break_wall((cell.row, last - cell.column), (move.row, -move.column))
        return mine
