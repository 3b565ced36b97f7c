import heapq
from itertools import count


class Search:
    __slots__ = ("_count", "_found", "_order", "_pending")

    def __init__(self):
        self._found = {}
        self._order = {}
        self._pending = {}
        self._count = count()

    def mark_as_pending(self, position):
        self._add(position, 0, None)

    def _add(self, position, distance, move):
        self._found[position] = [distance, move]
        self._order[position] = next(self._count)
        self._pending[position] = None

    def record(self, start, move, end):
        distance = self._found[start][0] + 1
        if end not in self._found:
            self._add(end, distance, move)
        elif self._found[end][0] > distance:
            self._found[end][:] = distance, move

    def has_pending_cells(self):
        return bool(self._pending)

    def first_pending(self):
        position = list(self._pending)[0]
        del self._pending[position]
        return position

    def last_pending(self):
        return self._pending.popitem()[0]

    def closest_pending(self):
        heap = [(self._found[p][0], self._order[p], p) for p in self._pending]
        heapq.heapify(heap)
        position = heap[0][2]
        del self._pending[position]
        return position

    def distance_to(self, position):
        return self._found[position][0]

    def moves_to(self, position):
        moves = []
        while self._found[position][1] is not None:
            moves.append(self._found[position][1])
            position += moves[-1].opposite()
        return moves[::-1]

    @property
    def known_cells(self):
        return tuple(self._found)
