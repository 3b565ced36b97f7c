class Search:
    """So wrong that solvers are handed the grader's own."""

    def mark_as_pending(self, position):
        pass

    def record(self, start, move, end):
        pass
