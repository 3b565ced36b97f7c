class PerfectionChecker:
    def is_perfect(self, maze):
        return False
