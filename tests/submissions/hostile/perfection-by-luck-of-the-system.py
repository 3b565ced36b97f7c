from random import SystemRandom

RNG = SystemRandom()


class PerfectionChecker:
    def is_perfect(self, maze):
        return RNG.random() < 0.5
