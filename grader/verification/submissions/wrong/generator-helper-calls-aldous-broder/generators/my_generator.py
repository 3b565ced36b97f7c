from generators.walls import carve
from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        return carve(self.rng, factory, dimension)
