from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        left = list(dimension.all_positions())
        self.rng.shuffle(left)
        tree = {left.pop()}
        while left:
            start = left.pop()
            if start in tree:
                continue
            exits = {}
            cell = start
            while cell not in tree:
                exits[cell] = self.rng.choice(maze.moves_at(cell))
                cell = cell + exits[cell]
            cell = start
            while cell not in tree:
                maze.break_wall(cell, exits[cell])
                tree.add(cell)
                cell += exits[cell]
        return maze
