from dataclasses import dataclass

from lab import EAST, SOUTH


@dataclass(frozen=True)
class Faults:
    lost: frozenset
    circled: frozenset
    count: int


class PerfectionChecker:
    def is_perfect(self, maze):
        cells = maze.dimension.all_positions()
        open_sides = [
            frozenset((cell, cell + move))
            for cell in cells
            for move in maze.valid_moves_at(cell)
            if move in (EAST, SOUTH)
        ]
        return look(cells, maze.entry, open_sides).count == 0


def look(places, first, sides):
    group = {place: {place} for place in places}
    near = {place: set() for place in places}
    for a, b in sides:
        near[a].add(b)
        near[b].add(a)
        small, large = sorted((group[a], group[b]), key=len)
        if small is not large:
            large |= small
            group.update(dict.fromkeys(small, large))
    parts = len({id(part) for part in group.values()})
    tips = [place for place in places if len(near[place]) <= 1]
    while tips:
        tip = tips.pop()
        for b in near.pop(tip, ()):
            near[b].discard(tip)
            if len(near[b]) <= 1:
                tips.append(b)
    missing, too_many = parts - 1, len(sides) - len(places) + parts
    return Faults(frozenset(places) - group[first], frozenset(near), missing + too_many)
