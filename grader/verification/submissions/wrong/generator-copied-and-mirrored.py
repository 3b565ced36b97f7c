from lab import Generator, Maze


def mirrored(maze):
    lines = [line[::-1] for line in maze.to_text().replace("S", " ").replace("E", " ").split("\n")]
    lines[1] = "|S" + lines[1][2:]
    lines[-2] = lines[-2][:-2] + "E|"
    return Maze(lines)


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        self.rng.random()
        position = dimension.random_position(self.rng)
        seen = {position}
        while len(seen) < dimension.position_count:
            moves = maze.moves_at(position)
            move = moves[int(self.rng.random() * len(moves))]
            neighbour = position + move
            if neighbour not in seen:
                maze.break_wall(position, move)
                seen.add(neighbour)
            position = neighbour
        return mirrored(maze)
