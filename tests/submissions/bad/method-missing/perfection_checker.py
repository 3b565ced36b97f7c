class PerfectionChecker:
    def perfect(self, maze):
        return True
