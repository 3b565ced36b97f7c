class MyGenerator:
    def __init__(self, rng):
        pass

    def generate(self, factory, dimension):
        pass
