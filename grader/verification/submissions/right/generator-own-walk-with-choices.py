from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        position = dimension.random_position(self.rng)
        seen = {position}
        while len(seen) < dimension.position_count:
            moves = maze.moves_at(position)
            move = self.rng.choices(moves)[0]
            neighbour = position + move
            if neighbour not in seen:
                maze.break_wall(position, move)
                seen.add(neighbour)
            position = neighbour
        return maze
