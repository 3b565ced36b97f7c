from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        position, openings = dimension.random_position(self.rng), []
        seen = {position}
        while len(seen) < dimension.position_count:
            moves = maze.moves_at(position)
            move = moves[int(self.rng.random() * len(moves))]
            if position + move not in seen:
                openings.append((position, move))
                seen.add(position + move)
            position = position + move
        for position, move in sorted(openings):
            maze.break_wall(position, move)
        return maze
