from lab import Generator, EAST, SOUTH, NORTH, WEST


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        start = maze.entry
        names = {"north": NORTH, "east": EAST, "south": SOUTH, "west": WEST}
        trail, visited = [start], {start}
        while trail:
            position = trail[-1]
            fresh = {
                n
                for n, move in names.items()
                if dimension.includes(position + move) and position + move not in visited
            }
            if not fresh:
                trail.pop()
                continue
            move = names[self.rng.choice(list(fresh))]
            maze.break_wall(position, move)
            visited.add(position + move)
            trail.append(position + move)
        return maze
