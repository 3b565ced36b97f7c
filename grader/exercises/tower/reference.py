"""A shortest way through the floors of a tower, breadth first."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

Cell = tuple[int, int, int]
Floor = Mapping[str, Sequence[Sequence[bool]]]


def way(floors: Sequence[Floor], start: Cell, end: Cell) -> list[Cell] | None:
    """Return the cells of a shortest way, start and end included; None where there is no way."""
    came_from, waiting = {start: start}, deque([start])
    while waiting:
        cell = waiting.popleft()
        for other in _neighbours(floors, cell):
            if other not in came_from:
                came_from[other] = cell
                waiting.append(other)
    if end not in came_from:
        return None
    found = [end]
    while found[-1] != start:
        found.append(came_from[found[-1]])
    return found[::-1]


def _neighbours(floors: Sequence[Floor], cell: Cell) -> Iterator[Cell]:
    """Yield the cells behind the open doors; a door stands at the lesser of its two cells."""
    doors = {"up_down": (1, 0, 0), "north_south": (0, 1, 0), "west_east": (0, 0, 1)}
    for name, (down, south, east) in doors.items():
        level, row, column = cell
        before = level - down, row - south, column - east
        if _is_open(floors, name, before):
            yield before
        if _is_open(floors, name, cell):
            yield level + down, row + south, column + east


def _is_open(floors: Sequence[Floor], name: str, cell: Cell) -> bool:
    level, row, column = (number - 1 for number in cell)
    if min(level, row, column) < 0 or level >= len(floors):
        return False
    matrix = floors[level][name]
    return row < len(matrix) and column < len(matrix[row]) and matrix[row][column]
