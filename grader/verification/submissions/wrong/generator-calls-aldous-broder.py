from lab import Generator
from lab.generators import AldousBroder


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        return AldousBroder(self.rng).generate(factory, dimension)
