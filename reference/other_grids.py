"""Mazes on grids whose cells are no squares: rings around a centre, and triangles.

A cell is its outline. Whatever two outlines share is a side, so the same random tree as on squares makes the
maze, and the same lines draw it. Such grids are described by J. Buck, "Mazes for Programmers", 2015.
Students do not get this.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from math import cos, pi, sin, sqrt
from random import Random
from statistics import fmean

from lab.render.colours import SOLUTION, WALL
from lab.render.svg import opening
from reference.generators.random_tree import Pop, pop_last, random_tree

Point = tuple[float, float]
Side = frozenset[Point]
Outlines = Mapping[Hashable, Sequence[Point]]
"""The corners of each cell, in order, in widths of a cell; those that two cells share are equal."""
_CELL = 24
"""The width of a cell in a picture, in pixels."""


def rings(count: int) -> Outlines:
    """Return cells in so many rings around a round one; a ring has twice as many as the one within it where
    its cells would be too wide. A cell is named by its ring and its number there."""
    counts = [1, 6]
    while len(counts) <= count:
        counts.append(counts[-1] * (2 if 2 * pi * len(counts) / counts[-1] > 1.5 else 1))
    found: dict[Hashable, list[Point]] = {(0, 0): _arc(1, counts[1], 0, counts[1])[1:]}
    for ring in range(1, count + 1):
        cells, outside = counts[ring], counts[min(ring + 1, count)]
        parts = outside // cells
        for cell in range(cells):
            inner = _arc(ring, cells, cell, 1)
            found[ring, cell] = [*_arc(ring + 1, outside, cell * parts, parts), *inner[::-1]]
    return found


def triangles(rows: int) -> Outlines:
    """Return the cells of a triangle of so many rows, named by their row and number there."""

    def corner(row: int, number: int) -> Point:
        return _point(number - row / 2, row * sqrt(3) / 2)

    found: dict[Hashable, list[Point]] = {}
    for row in range(rows):
        for number in range(row + 1):
            found[row, 2 * number] = [
                corner(row, number), corner(row + 1, number + 1), corner(row + 1, number)
            ]  # fmt: skip
        for number in range(row):
            found[row, 2 * number + 1] = [
                corner(row, number), corner(row, number + 1), corner(row + 1, number + 1)
            ]  # fmt: skip
    return found


def sides(outlines: Outlines) -> dict[Side, list[Hashable]]:
    """Return the sides of all cells, each with the one or two cells that have it."""
    found = defaultdict[Side, list[Hashable]](list)
    for cell, corners in outlines.items():
        for side in pairwise([*corners, corners[0]]):
            found[frozenset(side)].append(cell)
    return found


def make(outlines: Outlines, rng: Random, *, pop: Pop[Hashable] = pop_last) -> set[frozenset[Hashable]]:
    """Return the passages of a perfect maze, each the two cells that it joins."""
    around = defaultdict[Hashable, list[Hashable]](list)
    for cells in sides(outlines).values():
        for one, other in pairwise([*cells, *cells[:-1]]):
            around[one].append(other)
    return {frozenset(edge) for edge in random_tree(outlines, around.__getitem__, pop, rng)}


def way(passages: set[frozenset[Hashable]], start: Hashable, end: Hashable) -> list[Hashable]:
    """Return the way between two cells of a perfect maze, both included."""
    around = defaultdict[Hashable, list[Hashable]](list)
    for one, other in map(tuple, passages):
        around[one].append(other)
        around[other].append(one)
    came_from, queue = {end: end}, deque([end])
    while start not in came_from:
        cell = queue.popleft()
        for other in around[cell]:
            if other not in came_from:
                came_from[other] = cell
                queue.append(other)
    found = [start]
    while found[-1] != end:
        found.append(came_from[found[-1]])
    return found


def draw(
    outlines: Outlines, passages: set[frozenset[Hashable]], cells: Sequence[Hashable], *, title: str
) -> str:
    """Draw a maze as SVG: its walls, and the way through these cells as a dashed green line."""
    corners = [point for outline in outlines.values() for point in outline]
    left, top = (min(point[axis] for point in corners) for axis in (0, 1))
    wide, high = (_CELL * (max(point[axis] for point in corners) + 1) for axis in (0, 1))

    def line(points: Sequence[Point]) -> str:
        placed = (f"{_CELL * (x - left + 0.5):.1f} {_CELL * (y - top + 0.5):.1f}" for x, y in points)
        return f"M{' L'.join(placed)}"

    walls = [sorted(side) for side, found in sides(outlines).items() if frozenset(found) not in passages]
    middles = [(fmean(x for x, _ in outlines[cell]), fmean(y for _, y in outlines[cell])) for cell in cells]
    text = f"{len(outlines)} cells; the dashed line leads through {len(cells)} of them."
    return "\n".join([
        *opening(round(wide - _CELL * left), round(high - _CELL * top), title, text),
        f'<path d="{" ".join(map(line, walls))}" fill="none" stroke="{WALL}" stroke-width="2" '
        'stroke-linecap="round"/>',
        f'<path d="{line(middles)}" fill="none" stroke="{SOLUTION}" stroke-width="4" '
        'stroke-dasharray="8 5" stroke-linejoin="round"/>',
        "</svg>\n",
    ])  # fmt: skip


def _arc(ring: int, cells: int, first: int, count: int) -> list[Point]:
    """Return corners on the inner circle of a ring, from the first on, one more than cells there."""
    angles = (2 * pi * ((first + step) % cells) / cells for step in range(count + 1))
    return [_point((ring - 0.5) * cos(angle), (ring - 0.5) * sin(angle)) for angle in angles]


def _point(x: float, y: float) -> Point:
    """Return a corner, rounded so that it is equal however it was worked out."""
    return round(x, 6) + 0.0, round(y, 6) + 0.0
