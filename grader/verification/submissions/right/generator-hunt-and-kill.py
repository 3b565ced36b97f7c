from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        done = {dimension.random_position(self.rng)}
        here = next(iter(done))
        while here is not None:
            fresh = [m for m in maze.moves_at(here) if here + m not in done]
            if fresh:
                move = self.rng.choice(fresh)
                maze.break_wall(here, move)
                here = here + move
                done.add(here)
            else:
                here = self.hunt(maze, dimension, done)
        return maze

    def hunt(self, maze, dimension, done):
        for cell in dimension.all_positions():
            if cell in done:
                continue
            old = [m for m in maze.moves_at(cell) if cell + m in done]
            if old:
                maze.break_wall(cell, self.rng.choice(old))
                done.add(cell)
                return cell
        return None
