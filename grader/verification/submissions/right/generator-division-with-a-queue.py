from collections import deque

from lab import EAST, SOUTH, Generator, Vector


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_connected(dimension)
        rooms = deque([(1, dimension.row_count, 1, dimension.column_count)])
        while rooms:
            top, bottom, left, right = rooms.popleft()
            splits = []
            if top < bottom and left < right:
                splits = [("row", k) for k in range(top, bottom)] + [("column", k) for k in range(left, right)]
            if not splits:
                continue
            kind, k = splits[int(self.rng.random() * len(splits))]
            if kind == "row":
                wall = [(Vector(k, c), SOUTH) for c in range(left, right + 1)]
                rooms += [(top, k, left, right), (k + 1, bottom, left, right)]
            else:
                wall = [(Vector(r, k), EAST) for r in range(top, bottom + 1)]
                rooms += [(top, bottom, left, k), (top, bottom, k + 1, right)]
            for side in wall:
                maze.build_wall(*side)
            maze.break_wall(*self.rng.choice(wall))
        return maze
