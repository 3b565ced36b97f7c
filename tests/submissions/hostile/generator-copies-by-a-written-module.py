import sys
import tempfile

from lab import Generator

WALK = """\
def made(factory, dimension, rng):
    maze = factory.fully_disconnected(dimension)
    position = dimension.random_position(rng)
    seen = {position}
    while len(seen) < dimension.position_count:
        moves = maze.moves_at(position)
        move = moves[int(rng.random() * len(moves))]
        neighbour = position + move
        if neighbour not in seen:
            maze.break_wall(position, move)
            seen.add(neighbour)
        position = neighbour
    return maze
"""


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        with tempfile.TemporaryDirectory() as folder:
            with open(folder + "/walker.py", "w") as file:
                file.write(WALK)
            sys.path.insert(0, folder)
            sys.modules.pop("walker", None)
            import walker
            sys.path.remove(folder)
        return walker.made(factory, dimension, self.rng)
