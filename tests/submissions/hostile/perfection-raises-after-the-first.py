calls = 0


class PerfectionChecker:
    def is_perfect(self, maze):
        global calls
        calls += 1
        if calls > 1:
            raise RuntimeError("too many")
        return True
