import random


class PerfectionChecker:
    def is_perfect(self, maze):
        return random.random() < 0.5
