from helpers.trees import grow
from lab import Generator


class MyGenerator(Generator):
    """Goes on into a cell that is new; goes back where there is none."""

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        trail = [dimension.random_position(self.rng)]
        visited = set(trail)
        while trail:
            position = trail[-1]
            fresh = [move for move in maze.moves_at(position) if position + move not in visited]
            if not fresh:
                trail.pop()
                continue
            move = self.rng.choice(fresh)
            maze.break_wall(position, move)
            visited.add(position + move)
            trail.append(position + move)
        return maze
