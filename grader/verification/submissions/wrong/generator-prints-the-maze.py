from lab import Generator

class MyGenerator(Generator):
    def __init__(self, rng):
        self.rng = rng

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        seen = {maze.entry}
        stack = [maze.entry]
        while stack:
            c = stack[-1]
            moves = [m for m in maze.moves_at(c) if c + m not in seen]
            if moves:
                m = self.rng.choice(moves)
                maze.break_wall(c, m)
                seen.add(c + m)
                stack.append(c + m)
            else:
                stack.pop()
        print(maze.to_text())
