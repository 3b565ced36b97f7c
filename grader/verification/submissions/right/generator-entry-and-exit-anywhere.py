from lab import Generator, Maze


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        rows, columns = dimension.row_count, dimension.column_count
        lines = [list("+-" * columns + "+") if n % 2 == 0 else list("| " + "| " * (columns - 1) + "|")
                 for n in range(2 * rows + 1)]
        order = [(1, 1)]
        inside = {(1, 1)}
        while order:
            row, column = order[-1]
            ways = [(row + a, column + b) for a, b in ((-1, 0), (0, 1), (1, 0), (0, -1))
                    if dimension.includes((row + a, column + b)) and (row + a, column + b) not in inside]
            if not ways:
                order.pop()
                continue
            to = self.rng.choice(ways)
            lines[row + to[0] - 1][column + to[1] - 1] = " "
            inside.add(to)
            order.append(to)
        start, end = self.rng.sample(range(rows * columns), 2)
        for mark, number in (("S", start), ("E", end)):
            lines[2 * (number // columns) + 1][2 * (number % columns) + 1] = mark
        return Maze(["".join(line) for line in lines])
