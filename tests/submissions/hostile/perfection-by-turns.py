calls = 0


class PerfectionChecker:
    def is_perfect(self, maze):
        global calls
        calls += 1
        return calls % 2 == 1
