"""A maze of several floors: the same search, and nothing of the lab in it."""

from __future__ import annotations


def way(
    floors: list[dict[str, list[list[bool]]]], start: tuple[int, int, int], end: tuple[int, int, int]
) -> list[tuple[int, int, int]] | None:
    """Return the cells of a shortest way from start to end, both included; None where there is no way.

    A cell is (level, row, column), each counted from 1. Its doors stand in the matrices of its floor, at
    floor = floors[level - 1], where True is an open door:

    floor["west_east"][row - 1][column - 1]     to the next column
    floor["north_south"][row - 1][column - 1]   to the next row
    floor["up_down"][row - 1][column - 1]       to the next level, below this one

    Each door leads both ways. A floor has a column less of the first, a row less of the second, and the last
    floor has no third: an empty list. Where start is end, the way is that cell alone.
    """
    raise NotImplementedError
