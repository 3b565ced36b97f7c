from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        inside, edge = set(), [dimension.random_position(self.rng)]
        while edge:
            cell = edge.pop(self.rng.randrange(len(edge)))
            for move in maze.moves_at(cell):
                if cell + move in inside:
                    maze.break_wall(cell, move)
                elif cell + move not in edge:
                    edge.append(cell + move)
            inside.add(cell)
        return maze
