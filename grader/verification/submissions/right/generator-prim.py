from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        start = dimension.random_position(self.rng)
        tree = {start}
        walls = [(start, move) for move in maze.moves_at(start)]
        while walls:
            number = self.rng.randint(0, len(walls) - 1)
            walls[number], walls[-1] = walls[-1], walls[number]
            cell, move = walls.pop()
            if cell + move in tree:
                continue
            maze.break_wall(cell, move)
            tree.add(cell + move)
            walls.extend((cell + move, m) for m in maze.moves_at(cell + move))
        return maze
