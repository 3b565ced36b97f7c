from lab import generators


def carve(luck, factory, size):
    return generators.AldousBroder(luck).generate(factory, size)
