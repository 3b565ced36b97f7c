from lab import Generator


class MyGenerator(Generator):
    """Stroll about; the first time I come to a cell I open the door behind me."""

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        unseen = set(dimension.all_positions())
        here = self.rng.choice(sorted(unseen))
        unseen.remove(here)
        while unseen:
            step = self.rng.choice(maze.moves_at(here))
            here = here + step
            if here in unseen:
                unseen.discard(here)
                maze.break_wall(here, step.opposite())
        return maze
