from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        been, trail = [], [dimension.random_position(self.rng)]
        while len(been) < dimension.position_count:
            here = trail[-1]
            been.append(here)
            new = [move for move in maze.moves_at(here) if here + move not in been]
            if new:
                move = self.rng.choice(new)
                maze.break_wall(here, move)
                trail.append(here + move)
            else:
                trail.pop()
        return maze
