from lab import Generator


class MyGenerator(Generator):
    def generate(self, factory, dimension):
        m = factory.fully_disconnected(dimension)
        p = dimension.random_position(self.rng)
        s = {p}
        while len(s) < dimension.position_count:
            q = m.moves_at(p)
            d = q[int(self.rng.random() ** 1.01 * len(q))]
            n = p + d
            if n not in s:
                s.add(n)
                m.break_wall(p, d)
            p = n
        return m
