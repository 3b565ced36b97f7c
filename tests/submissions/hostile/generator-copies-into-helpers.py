from lab import Generator

def pick(draw, options):
    number = len(options)
    where = draw() * number
    return options[int(where)]

class MyGenerator(Generator):
    def generate(self, factory, dimension):
        draw = self.rng.random
        total = dimension.position_count
        m = factory.fully_disconnected(dimension)
        here = dimension.random_position(self.rng)
        done = [here]
        while True:
            if len(done) >= total:
                break
            d = pick(draw, m.moves_at(here))
            there, before = here + d, here
            here = there
            if there in done:
                continue
            m.break_wall(before, d)
            done.append(there)
        return m
