from lab import EAST, SOUTH, Generator, Vector


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        rows, columns = dimension.row_count, dimension.column_count
        group, new = [None] * columns, 0
        for row in range(1, rows + 1):
            for c in range(columns):
                if group[c] is None:
                    group[c], new = new, new + 1
            for c in range(columns - 1):
                if group[c] != group[c + 1] and (row == rows or self.rng.getrandbits(1)):
                    maze.break_wall(Vector(row, c + 1), EAST)
                    old = group[c + 1]
                    group = [group[c] if g == old else g for g in group]
            if row < rows:
                below = [None] * columns
                for g in sorted(set(group)):
                    cells = [c for c in range(columns) if group[c] == g]
                    for c in self.rng.sample(cells, self.rng.randint(1, len(cells))):
                        maze.break_wall(Vector(row, c + 1), SOUTH)
                        below[c] = g
                group = below
        return maze
