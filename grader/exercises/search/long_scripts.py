"""Scripts of some hundred calls on Search, far apart in a large grid, to show what small scripts cannot.

Keys that fit small numbers only, and lists sized for a small maze, fail here.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from grader.exercises.search.scripts import TAKES, Script, Writer
from lab import EAST, MOVES, SOUTH, Dimension, Vector

GRIDS = (Dimension(24, 24), Dimension(4, 150))
CELLS = 300
"""How many cells a script finds, in one search or in two."""
ASKED = 30
"""For how many of its cells a script finally asks the ways."""


def corridor(writer: Writer) -> None:
    """Go through a whole corridor, with one cell pending at a time."""
    for cell, move in _to_and_fro(writer):
        if len(writer.search.known_cells) < CELLS:
            writer.take("first_pending")
            writer.record(cell, move)
    _ask_some(writer)
    writer.drain("first_pending")


def known_again(writer: Writer) -> None:
    """Find many cells again, by ways that are not shorter."""
    _grow(writer, CELLS)
    again = writer.moves(writer.is_no_shorter)
    for start, move in writer.rng.sample(again, min(CELLS, len(again))):
        writer.record(start, move)
    _ask_some(writer)
    writer.drain("first_pending")


def hairpin(writer: Writer) -> None:
    """Go along a corridor and back, then find the cells between its two sides from both.

    They are found first from the far side, then from the near one.
    """
    length = writer.grid.column_count
    across = [Vector(0, column) for column in range(1, length + 1)]
    near, middle, far = ([writer.corner + cell + Vector(row, 0) for cell in across] for row in (1, 2, 3))
    writer.start(near[0])
    for cell in near[:-1]:
        writer.record(cell, EAST)
    for cell in (near[-1], middle[-1]):
        writer.record(cell, SOUTH)
    for cell in reversed(far[1:]):
        writer.record(cell, EAST.opposite())
    between = range(length - 1)
    for column in between:
        writer.record(far[column], SOUTH.opposite())
    for column in writer.rng.sample(between, len(between)):
        if writer.is_shorter(near[column], middle[column]):
            writer.record(near[column], SOUTH)
    _ask_some(writer)
    writer.drain("first_pending")


def many_pending(writer: Writer) -> None:
    """Make many cells pending at once, and take them by all methods."""
    _grow(writer, CELLS // 2)
    writer.drain(*TAKES)


def far_ways(writer: Writer) -> None:
    """Take many cells, then ask for long ways back."""
    _grow(writer, CELLS)
    for _ in range(CELLS // 2):
        writer.take(writer.rng.choice(TAKES[:2]))
    _ask_some(writer)


def two_at_once(writer: Writer) -> None:
    """Let two searches take turns in exploring the same large part of a grid."""
    other = Writer(writer.rng, writer.corner, instance=1, steps=writer.steps, grid=writer.grid)
    for each in (writer, other):
        each.start(each.corner + Vector(2, 2))
    for count in range(CELLS // 10, CELLS // 2, CELLS // 10):
        _grow(writer, count)
        _grow(other, count)
    for each in (writer, other):
        each.call("known_cells")
        each.drain("first_pending")


KINDS: dict[str, Callable[[Writer], None]] = {
    "new cell": corridor,
    "known cell": known_again,
    "shorter way": hairpin,
    "order": many_pending,
    "way back": far_ways,
    "separate": two_at_once,
}


def long_scripts(kind: str, seed: int) -> list[Script]:
    """Return one script of the kind for each grid."""
    return [_script(kind, grid, Random(seed + number)) for number, grid in enumerate(GRIDS)]


def _script(kind: str, grid: Dimension, rng: Random) -> Script:
    writer = Writer(rng, Vector(rng.randint(0, 40), rng.randint(0, 40)), grid=grid)
    KINDS[kind](writer)
    return tuple(writer.steps)


def _to_and_fro(writer: Writer) -> list[tuple[Vector, Vector]]:
    """Start in a corner, and return the moves of one corridor through the grid, alternately east and west."""
    grid, cell = writer.grid, writer.corner + Vector(1, 1)
    writer.start(cell)
    moves = []
    for row in range(grid.row_count):
        along = EAST if row % 2 == 0 else EAST.opposite()
        for move in (*[along] * (grid.column_count - 1), *[SOUTH] * (row + 1 < grid.row_count)):
            moves.append((cell, move))
            cell = cell + move
    return moves


def _grow(writer: Writer, count: int) -> None:
    """Find cells in all directions, until ``count`` are known."""
    known = list(writer.search.known_cells)
    if not known:
        known = [writer.rng.choice(writer.cells)]
        writer.start(known[0])
    while len(known) < count:
        start, move = writer.rng.choice(known), writer.rng.choice(MOVES)
        if start + move in writer.cells and writer.is_new(start, start + move):
            known.append(writer.record(start, move))


def _ask_some(writer: Writer) -> None:
    known = writer.search.known_cells
    for cell in (*writer.rng.sample(known, min(ASKED, len(known))), known[-1]):
        writer.ask(cell)
    writer.call("known_cells")
