from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        active = [maze.entry]
        reached = {maze.entry: True}
        while active:
            index = self.rng.choices([-1, 0, self.rng.randrange(len(active))], weights=[5, 1, 2])[0]
            cell = active[index]
            unvisited = [m for m in maze.moves_at(cell) if not reached.get(cell + m)]
            if unvisited:
                move = unvisited[self.rng.randrange(len(unvisited))]
                maze.break_wall(cell, move)
                reached[cell + move] = True
                active.append(cell + move)
            else:
                del active[index]
        return maze
