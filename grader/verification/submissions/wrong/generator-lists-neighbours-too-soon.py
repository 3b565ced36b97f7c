from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze, known = factory.fully_disconnected(dimension), set()

        def carve(cell):
            known.add(cell)
            new = [move for move in maze.moves_at(cell) if cell + move not in known]
            self.rng.shuffle(new)
            for move in new:
                maze.break_wall(cell, move)
                if len(known) < dimension.position_count:
                    carve(cell + move)

        carve(dimension.random_position(self.rng))
        return maze
