from lab import Generator, Maze


def turned(maze):
    lines = [line[::-1] for line in maze.to_text().split("\n")][::-1]
    return Maze([line.replace("S", "x").replace("E", "S").replace("x", "E") for line in lines])


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
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
        return turned(maze)
