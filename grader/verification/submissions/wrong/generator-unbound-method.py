from lab import Generator
from lab.generators import AldousBroder


class MyGenerator(Generator):
    generate = AldousBroder.generate
