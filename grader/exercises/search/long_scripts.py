"""Scripts of calls on Search that are large, that are small, and that are made smaller.

Keys that fit small numbers only, and lists sized for a small maze, fail here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, islice, starmap
from random import Random
from typing import Final

from grader.exercises.search.scripts import TAKES, Script, Step, Writer
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


Cell = tuple[int, int]
_Known = tuple[dict[Cell, int], dict[Cell, Cell], dict[Cell, int]]

MOST = 150
"""How many scripts are made from one."""
_FINDING: Final = ("mark_as_pending", "record")
"""The calls that make cells known."""
_FAR: Final = 2**60
_NOWHERE: Final = _FAR, _FAR
"""The place of a call without cells, farther away than any cell. The cells of all other calls are their first
and last argument; between these, record has a move."""


def simpler(steps: Script, wrong_at: int) -> list[Script]:
    """Return scripts with fewer calls, then the same calls closer to (1, 1).

    All end with the call that went wrong, and every right Search answers them alike.
    """
    cut = steps[: wrong_at + 1]
    moved = _Moved(cut)
    found = dict.fromkeys(islice(chain((cut,), starmap(moved.without, _fair(cut))), MOST))
    found.pop(steps, None)
    return sorted(found, key=len)


def _fair(steps: Script) -> Iterator[tuple[int, int]]:
    """Yield ranges of calls that can be removed so that the rest stays fair.

    The empty range comes first, then long ranges before short ones. The last call always stays.
    """
    if is_fair(steps):
        yield 0, 0
    finding = [step for step in steps if step[1] in _FINDING]
    made = [0, *accumulate(step[1] in _FINDING for step in steps)]
    size, last = len(steps) // 2, len(steps) - 1
    while size:
        before = _Searches()
        for start in range(0, last, size):
            end = min(start + size, last)
            if before.copy().make(finding[made[end] :]):
                yield start, end
            if not before.make(finding[made[start] : made[end]]):
                break
        size //= 2


class _Moved:
    """A script's calls as far north and west as possible, without some of them."""

    def __init__(self, steps: Script) -> None:
        ends = [(given[0], given[-1]) if given else (_NOWHERE, _NOWHERE) for _, _, given in steps]
        self._norths = _Least([min(first[0], last[0]) for first, last in ends])
        self._wests = _Least([min(first[1], last[1]) for first, last in ends])
        self._moved: dict[tuple[int, int], Script] = {(0, 0): steps, (_FAR - 1, _FAR - 1): steps}

    def without(self, start: int, end: int) -> Script:
        """Return the calls before ``start`` and from ``end`` on."""
        by = self._norths.without(start, end) - 1, self._wests.without(start, end) - 1
        if by not in self._moved:
            self._moved[by] = tuple(_moved(step, *by) for step in self._moved[0, 0])
        steps = self._moved[by]
        return steps[:start] + steps[end:]


class _Least:
    """The minimum of some numbers, without a range of them."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._from_the_left = [_FAR, *accumulate(numbers, min)]
        self._from_the_right = [_FAR, *accumulate(reversed(numbers), min)][::-1]

    def without(self, start: int, end: int) -> int:
        """Return the minimum of the numbers before ``start`` and from ``end`` on."""
        return min(self._from_the_left[start], self._from_the_right[end])


def _moved(step: Step, north: int, west: int) -> Step:
    """Move a call's cells this far to the north and west.

    The second vector of record is a move, and stays unchanged.
    """
    instance, method, given = step
    vectors = tuple((row - north, column - west) for row, column in given)
    return instance, method, (vectors[0], given[1], vectors[2]) if method == "record" else vectors


def moved(steps: Script) -> Script:
    """Move the calls as far north and west as possible."""
    return _Moved(steps).without(0, 0)


def extent(steps: Script) -> int:
    """Return how far the script goes from (1, 1), in rows and columns."""
    return max([row + column for _, _, given in steps for row, column in given[::2]], default=0)


def is_fair(steps: Script) -> bool:
    """Return whether the contract determines what every call returns.

    Only unknown cells are marked, moves start in known cells, and a cell from which another one was found is
    not found by a shorter way.
    """
    return _Searches().make(steps)


class _Searches:
    """What each search of a script knows after some of its calls.

    For each cell: how far it is, its predecessor, and how many cells were found from it.
    """

    def __init__(self, known: Mapping[int, _Known] | None = None) -> None:
        self._known = dict(known or {})

    def copy(self) -> _Searches:
        return _Searches(
            {instance: (a.copy(), b.copy(), c.copy()) for instance, (a, b, c) in self._known.items()}
        )

    def make(self, steps: Sequence[Step]) -> bool:
        """Make the calls as long as they are fair; return whether all are."""
        for instance, method, given in steps:
            if method not in _FINDING:
                continue
            if instance not in self._known:
                self._known[instance] = {}, {}, {}
            known = self._known[instance]
            may_be_made = _may_mark if method == "mark_as_pending" else _may_record
            if not may_be_made(known, given[0], given[-1]):
                return False
        return True


def _may_mark(known: _Known, cell: Cell, _end: Cell) -> bool:
    """Mark a cell if it is unknown; return whether it was."""
    distances, _, _ = known
    if cell in distances:
        return False
    distances[cell] = 0
    return True


def _may_record(known: _Known, start: Cell, end: Cell) -> bool:
    """Record a move if it is fair; return whether it was.

    It must start in a known cell, and must not shorten a way that others continue.
    """
    distances, origins, found_from = known
    if start not in distances:
        return False
    distance = distances[start] + 1
    if end in distances and distance >= distances[end]:
        return True
    if found_from.get(end):
        return False
    if end in origins:
        found_from[origins[end]] -= 1
    found_from[start] = found_from.get(start, 0) + 1
    origins[end], distances[end] = start, distance
    return True


WINDOW: Final = Dimension(2, 2)
LONGEST: Final = 4
"""The most calls after the first: enough to find a way of three moves, and then one of one move."""


def small_scripts() -> Iterator[Script]:
    """Yield all small scripts, each followed by the questions that reveal what its calls did."""
    ending = (*_questions(), *_taking())
    for script in _growing(((0, "mark_as_pending", ((1, 1),)),), LONGEST):
        yield (*script, *ending)


def _growing(script: Script, more: int) -> Iterator[Script]:
    yield script
    if more:
        for step in _STEPS:
            if is_fair((*script, step)):
                yield from _growing((*script, step), more - 1)


def _steps() -> Iterator[Step]:
    for cell in WINDOW.all_positions():
        for move in MOVES:
            if WINDOW.includes(end := cell + move):
                yield 0, "record", (_pair(cell), _pair(move), _pair(end))
    for take in TAKES:
        yield 0, take, ()


def _questions() -> Iterator[Step]:
    for cell in WINDOW.all_positions():
        yield 0, "distance_to", (_pair(cell),)
        yield 0, "moves_to", (_pair(cell),)
    yield 0, "known_cells", ()


def _taking() -> Iterator[Step]:
    for _ in WINDOW.all_positions():
        yield 0, "has_pending_cells", ()
        yield 0, "first_pending", ()


def _pair(vector: Vector) -> tuple[int, int]:
    return vector.row, vector.column


_STEPS: Final = tuple(_steps())
