class Search:
    def record(self, start, move, end):
        pass
