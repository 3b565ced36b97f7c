from collections import OrderedDict
from dataclasses import dataclass


@dataclass
class Node:
    distance: int
    move: object = None
    pending: bool = True


class Search:
    def __init__(self):
        self.nodes = OrderedDict()

    def mark_as_pending(self, position):
        self.nodes[position] = Node(0)

    def record(self, start, move, end):
        way = self.nodes[start].distance + 1
        node = self.nodes.get(end)
        if node is None:
            self.nodes[end] = Node(way, move)
        elif way < node.distance:
            node.distance, node.move = way, move

    def pending(self):
        cells = [p for p, node in self.nodes.items() if node.pending]
        if not cells:
            raise LookupError("nothing is pending")
        return cells

    def take(self, position):
        self.nodes[position].pending = False
        return position

    def has_pending_cells(self):
        return any(node.pending for node in self.nodes.values())

    def first_pending(self):
        return self.take(self.pending()[0])

    def last_pending(self):
        return self.take(self.pending()[-1])

    def closest_pending(self):
        return self.take(min(self.pending(), key=lambda p: self.nodes[p].distance))

    def distance_to(self, position):
        return self.nodes[position].distance

    def moves_to(self, position):
        node = self.nodes[position]
        return [] if node.move is None else self.moves_to(position + node.move.opposite()) + [node.move]

    @property
    def known_cells(self):
        return self.nodes.keys()
