from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        seen, here = set(), dimension.random_position(self.rng)
        while len(seen) < dimension.position_count // 2:
            seen.add(here)
            moves = maze.moves_at(here)
            if not moves:
                break
            move = self.rng.choice(moves)
            if here + move not in seen or self.rng.random() < 0.3:
                maze.break_wall(here, move)
            here = here + move
        return maze
