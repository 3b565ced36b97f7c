class Search:
    @property
    def known_cells(self):
        raise LookupError

    def mark_as_pending(self, p):
        pass

    def record(self, *a):
        pass

    def has_pending_cells(self):
        raise LookupError

    def first_pending(self):
        raise LookupError

    last_pending = closest_pending = distance_to = moves_to = lambda self, *a: self.first_pending()
