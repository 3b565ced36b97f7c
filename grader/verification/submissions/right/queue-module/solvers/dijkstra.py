from dataclasses import dataclass, field
from queue import PriorityQueue

from lab import Solver, Vector


@dataclass(order=True)
class Entry:
    distance: int
    number: int
    position: Vector = field(compare=False)
    way: list = field(compare=False)


class Dijkstra(Solver):
    def solve(self, maze, search):
        queue, number = PriorityQueue(), 0
        queue.put(Entry(0, 0, maze.entry, []))
        distances = {maze.entry: 0}
        while not queue.empty():
            entry = queue.get()
            if entry.distance > distances[entry.position]:
                continue
            if maze.is_exit(entry.position):
                return entry.way
            for move in maze.valid_moves_at(entry.position):
                neighbour = entry.position + move
                if entry.distance + 1 < distances.get(neighbour, float("inf")):
                    distances[neighbour] = entry.distance + 1
                    number += 1
                    queue.put(Entry(entry.distance + 1, number, neighbour, entry.way + [move]))
        return None
