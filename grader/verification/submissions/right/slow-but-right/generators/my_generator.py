from lab import Generator


class MyGenerator(Generator):
    """Prim, with a list that is searched again and again."""

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        inside = [self.rng.choice(dimension.all_positions())]
        edge = [(inside[0], move) for move in maze.moves_at(inside[0])]
        while len(inside) < dimension.position_count:
            cell, move = edge.pop(self.rng.randrange(len(edge)))
            new = cell + move
            if new not in inside:
                inside.append(new)
                maze.break_wall(cell, move)
                edge.extend((new, further) for further in maze.moves_at(new))
        return maze
