from random import Random

from lab import Generator
from lab.generators import AldousBroder


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        return AldousBroder(Random(self.rng.random())).generate(factory, dimension)
