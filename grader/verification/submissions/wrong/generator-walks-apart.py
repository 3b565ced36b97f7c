from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        left = list(dimension.all_positions())
        while left:
            here = left[0]
            left.remove(here)
            while True:
                ways = [move for move in maze.moves_at(here) if here + move in left]
                if not ways:
                    break
                move = self.rng.choice(ways)
                maze.break_wall(here, move)
                here = here + move
                left.remove(here)
        return maze
