class Pending:
    """The cells that wait."""

    def __init__(self):
        self.waiting = []

    def has_pending_cells(self):
        return self.waiting != []

    def first_pending(self):
        return self.waiting.pop(0)

    def last_pending(self):
        return self.waiting.pop()


class Search(Pending):
    def __init__(self):
        super().__init__()
        self.known_cells = []
        self.ways = {}

    def mark_as_pending(self, position):
        self.known_cells.append(position)
        self.ways[position] = (0, None, None)
        self.waiting.append(position)

    def record(self, start, move, end):
        length = self.distance_to(start) + 1
        if end in self.ways:
            if self.distance_to(end) > length:
                self.ways[end] = (length, move, start)
            return
        self.known_cells.append(end)
        self.waiting.append(end)
        self.ways[end] = (length, move, start)

    def closest_pending(self):
        if not self.has_pending_cells():
            raise IndexError("no pending cells")
        shortest = min(map(self.distance_to, self.waiting))
        for index, cell in enumerate(self.waiting):
            if self.distance_to(cell) == shortest:
                return self.waiting.pop(index)

    def distance_to(self, position):
        return self.ways[position][0]

    def moves_to(self, position):
        _, move, start = self.ways[position]
        moves = []
        while move is not None:
            moves.insert(0, move)
            _, move, start = self.ways[start]
        return moves
