from collections import OrderedDict
from typing import NamedTuple, Any


class Info(NamedTuple):
    distance: int
    move: Any
    before: Any


class Search:
    def __init__(self):
        self.info, self.waiting = OrderedDict(), OrderedDict()

    def mark_as_pending(self, position):
        self.info[position] = Info(0, None, None)
        self.waiting[position] = True

    def has_pending_cells(self):
        return len(self.waiting) > 0

    def _pop(self, last):
        try:
            return self.waiting.popitem(last=last)[0]
        except KeyError:
            raise LookupError("nothing pending") from None

    def first_pending(self):
        return self._pop(False)

    def last_pending(self):
        return self._pop(True)

    def closest_pending(self):
        if not self.waiting:
            raise LookupError("nothing pending")
        best = min(self.waiting, key=lambda p: self.info[p].distance)
        del self.waiting[best]
        return best

    def record(self, start, move, end):
        new = Info(self.info[start].distance + 1, move, start)
        match self.info.get(end):
            case None:
                self.info[end] = new
                self.waiting[end] = True
            case old if new.distance < old.distance:
                self.info[end] = new

    def distance_to(self, position):
        return self.info[position].distance

    def moves_to(self, position):
        out = []
        node = self.info[position]
        while node.before is not None:
            out.insert(0, node.move)
            node = self.info[node.before]
        return out

    @property
    def known_cells(self):
        return list(self.info)
