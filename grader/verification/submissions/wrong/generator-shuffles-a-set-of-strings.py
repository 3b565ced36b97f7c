from lab import Generator, EAST, SOUTH


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        cells = {f"{c.row},{c.column}": c for c in dimension.all_positions()}
        walls = {
            f"{n}:{m.name}" for n, c in cells.items() for m in (EAST, SOUTH) if dimension.includes(c + m)
        }
        root = {c: c for c in cells.values()}

        def find(c):
            while root[c] != c:
                c = root[c]
            return c

        walls = list(walls)
        self.rng.shuffle(walls)
        for wall in walls:
            name, _, move = wall.partition(":")
            cell, move = cells[name], EAST if move == "east" else SOUTH
            one, other = find(cell), find(cell + move)
            if one != other:
                root[one] = other
                maze.break_wall(cell, move)
        return maze
