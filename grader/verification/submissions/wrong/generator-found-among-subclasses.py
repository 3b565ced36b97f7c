import lab.generators
from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        other = [kind for kind in Generator.__subclasses__() if kind is not MyGenerator][0]
        return other(self.rng).generate(factory, dimension)
