import code

from lab import Generator

WALK = """\
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
"""


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        names = {"factory": factory, "dimension": dimension, "rng": self.rng}
        code.InteractiveInterpreter(names).runsource(WALK, symbol="exec")
        return names["maze"]
