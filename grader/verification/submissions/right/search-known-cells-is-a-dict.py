class Search:
    """One dict of what is known, in the order in which it was found, and that is what known_cells gives."""

    def __init__(self):
        self.known_cells = {}
        self._pending = []

    def mark_as_pending(self, position):
        self.known_cells[position] = (0, None)
        if position not in self._pending:
            self._pending.append(position)

    def record(self, start, move, end):
        distance = self.known_cells[start][0] + 1
        if end not in self.known_cells:
            self._pending.append(end)
        elif self.known_cells[end][0] <= distance:
            return
        self.known_cells[end] = (distance, move)

    def has_pending_cells(self):
        return len(self._pending) > 0

    def first_pending(self):
        return self._pending.pop(0)

    def last_pending(self):
        return self._pending.pop()

    def closest_pending(self):
        if not self._pending:
            raise LookupError
        closest = min(self._pending, key=self.distance_to)
        self._pending.remove(closest)
        return closest

    def distance_to(self, position):
        return self.known_cells[position][0]

    def moves_to(self, position):
        moves = []
        while (move := self.known_cells[position][1]) is not None:
            moves.insert(0, move)
            position = position + move.opposite()
        return moves
