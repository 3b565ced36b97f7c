import random

from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        cell = self.rng.choice(dimension.all_positions())
        visited = {cell}
        trail = [cell]
        while trail:
            cell = trail[-1]
            candidates = [move for move in maze.moves_at(cell) if cell + move not in visited]
            if candidates:
                move = random.choice(candidates)
                maze.break_wall(cell, move)
                trail.append(cell + move)
                visited.add(cell + move)
            else:
                trail.pop()
        return maze
