"""The cells that a solver knows, and how it got there."""


class Search:
    def __init__(self):
        self._pending = []
        self._distances = {}
        self._moves = {}

    def mark_as_pending(self, position):
        self._distances[position] = 0
        self._moves[position] = None
        self._pending.append(position)

    def record(self, start, move, end):
        distance = self._distances[start] + 1
        if end in self._pending:
            if distance < self._distances[end]:
                self._distances[end], self._moves[end] = distance, move
            return
        self._distances[end], self._moves[end] = distance, move
        self._pending.append(end)

    def has_pending_cells(self):
        return len(self._pending) > 0

    def first_pending(self):
        return self._take(0)

    def last_pending(self):
        return self._take(-1)

    def closest_pending(self):
        return self._take(self._closest_index())

    def distance_to(self, position):
        return self._distances[position]

    def moves_to(self, position):
        if position not in self._moves:
            raise LookupError(f"{position} was never found")
        moves = []
        while self._moves[position] is not None:
            move = self._moves[position]
            moves.append(move)
            position = position + move.opposite()
        moves.reverse()
        return moves

    @property
    def known_cells(self):
        return list(self._distances)

    def _closest_index(self):
        best = 0
        for index, position in enumerate(self._pending):
            if self._distances[position] < self._distances[self._pending[best]]:
                best = index
        return best

    def _take(self, index):
        if not self._pending:
            raise LookupError("no cell is pending")
        return self._pending.pop(index)
