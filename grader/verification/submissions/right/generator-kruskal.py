class MyGenerator:
    def __init__(self, rng):
        self._random = rng

    def generate(self, factory, dimension):
        maze = factory.fully_disconnected(dimension)
        walls = [(p, d) for p in dimension.all_positions() for d in ((0, 1), (1, 0))
                 if dimension.includes((p[0] + d[0], p[1] + d[1]))]
        self._random.shuffle(walls)
        parent = {}

        def root(p):
            while p in parent:
                p = parent[p]
            return p

        for p, d in walls:
            one, two = root(p), root((p[0] + d[0], p[1] + d[1]))
            if one != two:
                parent[one] = two
                maze.break_wall(p, d)
        return maze
