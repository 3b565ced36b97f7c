"""Scripts of calls on Search, drawn and fixed, so that every right Search answers them alike.

The contract leaves open what happens to a cell's distance if its predecessor gets nearer later. So a cell
gets a shorter way only as long as nothing was found from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from random import Random
from typing import TYPE_CHECKING

from lab import MOVES, Dimension, Vector
from reference.solvers.search import Search

if TYPE_CHECKING:
    from hypothesis import strategies as st

Step = tuple[int, str, tuple[tuple[int, int], ...]]
Script = tuple[Step, ...]

TAKES = ("first_pending", "last_pending", "closest_pending")
GRID = Dimension(4, 4)
"""A small window of a larger grid, so that ways meet again."""
FARTHEST = 40
"""How many rows and columns the window may be away from the first ones."""


@dataclass
class Writer:
    """Writes a script, and keeps the reference's Search in the same state to know what is allowed."""

    rng: Random
    corner: Vector
    instance: int = 0
    steps: list[Step] = field(default_factory=list)
    search: Search = field(default_factory=Search)
    found_from: dict[Vector, Vector] = field(default_factory=dict)
    pending: int = 0
    grid: Dimension = GRID

    @cached_property
    def cells(self) -> tuple[Vector, ...]:
        """The cells of the window."""
        return tuple(cell + self.corner for cell in self.grid.all_positions())

    def call(self, method: str, *vectors: Vector) -> None:
        """Add a step that changes nothing, or whose effect the other methods have recorded."""
        self.steps.append((self.instance, method, tuple((v[0], v[1]) for v in vectors)))

    def start(self, cell: Vector) -> None:
        """Mark the first cell as pending."""
        self.search.mark_as_pending(cell)
        self.pending += 1
        self.call("mark_as_pending", cell)

    def start_elsewhere(self) -> None:
        """Mark another, unknown cell as pending."""
        self.start(self.rng.choice([cell for cell in self.cells if cell not in self.search.known_cells]))

    def record(self, start: Vector, move: Vector) -> Vector:
        """Record a move, and return where it leads."""
        end = start + move
        known = end in self.search.known_cells
        shorter = known and self.search.distance_to(start) + 1 < self.search.distance_to(end)
        if not known or shorter:
            self.found_from[end] = start
        self.pending += not known
        self.search.record(start, move, end)
        self.call("record", start, move, end)
        return end

    def take(self, method: str) -> None:
        """Take a pending cell."""
        if self.pending:
            getattr(self.search, method)()
            self.pending -= 1
        self.call(method)

    def drain(self, *methods: str) -> None:
        """Take all pending cells, and try to take one more."""
        while self.pending:
            self.take(self.rng.choice(methods))
        self.call("has_pending_cells")
        self.take(methods[0])

    def ask(self, cell: Vector) -> None:
        """Ask for the distance of a cell and the moves that lead there."""
        self.call("distance_to", cell)
        self.call("moves_to", cell)

    def moves(self, wanted: Callable[[Vector, Vector], bool]) -> list[tuple[Vector, Vector]]:
        """Return the wanted moves (start, move) from known cells inside the grid."""
        return [
            (start, move)
            for start in self.search.known_cells
            for move in MOVES
            if start + move in self.cells and wanted(start, start + move)
        ]

    def is_new(self, _start: Vector, end: Vector) -> bool:
        """Return whether the move leads to an unknown cell."""
        return end not in self.search.known_cells

    def is_no_shorter(self, start: Vector, end: Vector) -> bool:
        """Return whether the move leads to a known cell by a way that is not shorter."""
        return not self.is_new(start, end) and self._gain(start, end) <= 0

    def is_shorter(self, start: Vector, end: Vector) -> bool:
        """Return whether the move leads by a shorter way to a known cell from which nothing was found."""
        leaf = end not in self.found_from.values()
        return not self.is_new(start, end) and leaf and self._gain(start, end) > 0

    def is_shorter_by(self, gain: int) -> Callable[[Vector, Vector], bool]:
        """Return a test like ``is_shorter`` for ways shorter by exactly ``gain`` moves."""
        return lambda start, end: self.is_shorter(start, end) and self._gain(start, end) == gain

    def _gain(self, start: Vector, end: Vector) -> int:
        return self.search.distance_to(end) - self.search.distance_to(start) - 1

    def some(self, wanted: Callable[[Vector, Vector], bool]) -> Vector | None:
        """Record one of the wanted moves; return None if there is none."""
        moves = self.moves(wanted)
        return self.record(*self.rng.choice(moves)) if moves else None

    def snake(self, count: int) -> None:
        """Record moves that each start from the newest cell, so that distances grow."""
        for _ in range(count):
            newest = self.search.known_cells[-1]
            moves = [move for start, move in self.moves(self.is_new) if start == newest]
            if not moves:
                return
            self.record(newest, self.rng.choice(moves))


def new_cells(rng: Random) -> Writer:
    """Write a script that finds unknown cells, several from one cell or one after another in a corridor.

    In a corridor at most one cell is pending, so that the order of taking does not matter.
    """
    writer = _started(rng)
    is_corridor = rng.random() < 0.5
    for _ in range(rng.randint(1, 6)):
        if is_corridor:
            writer.take("first_pending")
            before = len(writer.search.known_cells)
            writer.snake(1)
            ends = writer.search.known_cells[before:]
        else:
            end = writer.some(writer.is_new)
            ends = () if end is None else (end,)
        for end in ends:
            writer.ask(end)
        writer.call("has_pending_cells")
    writer.call("known_cells")
    if is_corridor:
        writer.drain("first_pending")
    return writer


def known_cells(rng: Random) -> Writer:
    """Write a script that finds known cells again, by ways that are as long or longer.

    With one start the difference is even, with two it is any number.
    """
    writer = _started(rng)
    for number in range(rng.randint(2, 8)):
        if number == 1 and rng.random() < 0.5:
            writer.start_elsewhere()
        writer.some(writer.is_new)
    for _ in range(rng.randint(0, 2)):
        writer.take(rng.choice(TAKES[:2]))
    for _ in range(rng.randint(1, 4)):
        end = writer.some(writer.is_no_shorter)
        if end is not None:
            writer.ask(end)
    writer.call("known_cells")
    writer.drain("first_pending")
    return writer


def shorter_ways(rng: Random) -> Writer:
    """Write a script that finds known cells again, by ways shorter by one move, by two, or by more.

    With one start the difference is even, so there may be two.
    """
    gain = rng.randint(1, 4)
    while True:
        writer = _before_shorter_ways(rng, starts=1 + gain % 2)
        if (first := writer.some(writer.is_shorter_by(gain))) is not None:
            break
    ends = [first, *(writer.some(writer.is_shorter) for _ in range(rng.randint(0, 2)))]
    for end in ends:
        if end is not None:
            writer.ask(end)
    writer.call("known_cells")
    writer.drain("first_pending")
    return writer


def _before_shorter_ways(rng: Random, starts: int) -> Writer:
    """Begin a script that finds cells by long ways."""
    writer = _started(rng)
    writer.snake(rng.randint(3, 9))
    if starts > 1:
        writer.start_elsewhere()
        writer.snake(rng.randint(0, 3))
    for _ in range(rng.choice((0, 1, 3, writer.pending))):
        writer.take("first_pending")
    if len(writer.search.known_cells) % 2:  # earlier answers must not be cached
        for cell in writer.search.known_cells:
            writer.ask(cell)
    return writer


def orders(rng: Random) -> Writer:
    """Write a script that takes cells from either end, and the closest; the earliest found wins a tie."""
    writer = _started(rng)
    writer.snake(rng.randint(0, 3))
    for _ in range(rng.randint(2, 8)):
        writer.some(writer.is_new)
    if rng.random() < 0.3:
        writer.some(writer.is_shorter)
    writer.drain(*rng.choice((TAKES, TAKES[:1], TAKES[1:2], TAKES[2:])))
    return writer


def ways_back(rng: Random) -> Writer:
    """Write a script that asks for the way from the entry to each cell, and to an unknown one."""
    writer = _started(rng)
    writer.snake(rng.randint(1, 6))
    for _ in range(rng.randint(1, 4)):
        writer.some(writer.is_new)
    for cell in writer.search.known_cells:
        writer.ask(cell)
    unknown = [cell for cell in writer.cells if cell not in writer.search.known_cells]
    writer.ask(rng.choice(unknown))
    return writer


def two_searches(rng: Random) -> Writer:
    """Write a script of two searches, which must not share anything."""
    one = _started(rng)
    other = Writer(rng, one.corner, instance=1, steps=one.steps)
    for _ in range(rng.randint(1, 4)):
        one.some(one.is_new)
    other.call("has_pending_cells")
    other.call("known_cells")
    other.start(rng.choice(other.cells))
    for writer in (other, one, other):
        writer.some(writer.is_new)
    for writer in (one, other):
        writer.call("known_cells")
        writer.drain("first_pending")
    return one


KINDS: dict[str, Callable[[Random], Writer]] = {
    "new cell": new_cells,
    "known cell": known_cells,
    "shorter way": shorter_ways,
    "order": orders,
    "way back": ways_back,
    "separate": two_searches,
}


def scripts(kind: str) -> st.SearchStrategy[Script]:
    """Return a strategy for scripts of one kind."""
    from hypothesis import strategies as st

    return st.integers(0, 2**32 - 1).map(lambda seed: tuple(KINDS[kind](Random(seed)).steps))


def _started(rng: Random) -> Writer:
    far = rng.choice((0, 0, FARTHEST))
    writer = Writer(rng, Vector(rng.randint(0, far), rng.randint(0, far)))
    writer.start(rng.choice(writer.cells))
    return writer


def fixed_scripts(kind: str) -> list[Script]:
    """Return the fixed scripts of a kind, one for each direction."""
    return [tuple(written(move).steps) for written in _FIXED.get(kind, ()) for move in MOVES]


def _cells_so_far(move: Vector) -> Writer:
    """Write a script that asks for the known cells, and again when there are more."""
    one, cell = _in_the_middle()
    for _ in range(2):
        one.call("known_cells")
        cell = one.record(cell, move)
    one.call("known_cells")
    return one


def _a_way_each(move: Vector) -> Writer:
    """Write a script in which a cell found by one Search starts another: each knows its own way there.

    The first is also asked before the other starts, to show whether it has a right way at all.
    """
    one, cell = _in_the_middle()
    other = Writer(one.rng, one.corner, instance=1, steps=one.steps)
    shared = one.record(cell, move)
    one.ask(shared)
    other.start(shared)
    one.ask(shared)
    other.ask(shared)
    return one


def _the_same_steps_again(move: Vector, *, takes: bool, further: int) -> Writer:
    """Write a script that records steps again after a shorter way to their start was found.

    First a cell is found by a detour, and cells beyond it from there; then the cell by a shorter way, after
    which the steps beyond it are recorded again: recording a step more than once may matter.
    """
    one, start = _in_the_middle()
    side = MOVES[(MOVES.index(move) + 1) % len(MOVES)]
    cell = start
    for step in (side, move, side.opposite()):
        cell = one.record(cell, step)
    beyond = _straight_on(one, cell, move, further)
    if takes:
        one.drain("first_pending")
    one.record(start, move)
    _straight_on(one, cell, move, further)
    for each in (cell, *beyond):
        one.ask(each)
    return one


def _straight_on(one: Writer, cell: Vector, move: Vector, count: int) -> list[Vector]:
    """Record ``count`` steps straight on from a cell, and return the cells reached."""
    found = []
    for _ in range(count):
        cell = one.record(cell, move)
        found.append(cell)
    return found


_FIXED: dict[str, tuple[Callable[[Vector], Writer], ...]] = {
    "new cell": (_cells_so_far,),
    "separate": (_a_way_each,),
    "shorter way": tuple(
        partial(_the_same_steps_again, takes=takes, further=further)
        for takes in (False, True)
        for further in (1, 2)
    ),
}


def _in_the_middle() -> tuple[Writer, Vector]:
    """Start a Search at least two cells away from the borders; return its writer and first cell."""
    one = Writer(Random(0), Vector(0, 0), grid=Dimension(5, 5))
    one.start(Vector(3, 3))
    return one, Vector(3, 3)
