from lab import Generator

WALK = """
position = dimension.random_position(rng)
seen = {position}
while len(seen) < dimension.position_count:
    moves = maze.moves_at(position)
    move = moves[int(rng.random() ** 1.01 * len(moves))]
    if position + move not in seen:
        maze.break_wall(position, move)
        seen.add(position + move)
    position = position + move
"""


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        exec(compile(WALK, __file__, "exec"), {"maze": maze, "dimension": dimension, "rng": self.rng})
        return maze
