"""Small mazes: as numbers, of each kind, made smaller, from files, and to see whether any work is done.

They come in sets that no count of cells, walls or passages tells apart, and are drawn with the rubric's seed:
so memorising mazes, or guessing by how a maze looks, does not help.

The small mazes of each kind, the smallest first: a submission is shown the first one that it gets wrong.

They are all mazes of up to six cells and all corridors of up to eight, except those equivalent to another
one: solvers see nothing beyond the walls of the entry's part, and entry and exit mean nothing to a perfection
checker. Of larger mazes there is a fixed selection of those that show mistakes best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, cycle, islice, product
from random import Random
from typing import NamedTuple

from grader.exercises.kit.costs import DIGITS, is_detour, is_tie, with_costs
from grader.exercises.kit.draw import kept, marked, with_cycle_and_island, with_passages, with_walls
from grader.exercises.kit.facts import Way, distances_from, facts_of
from lab import Dimension, Factory, Maze, Vector

SETS = 36
SIDES = ((3, 3), (2, 3), (3, 5), (4, 4), (5, 3), (3, 4), (5, 5), (4, 5), (3, 7), (2, 6), (7, 3), (6, 4))
"""As many dimensions with an odd number of cells as with an even one, since the number of passages of a
perfect maze would otherwise always be odd, or always even."""
MOST_CHANGES = 3
LEAST_WAY = 4
"""Shorter ways, in moves, are found without a search."""


@lru_cache(maxsize=4)
def sets_to_tell_apart(seed: int) -> tuple[tuple[str, str, str, str], ...]:
    """Return perfect mazes, each with three mazes made from it, with entry and exit in the corners.

    These have more passages, fewer passages, and as many, but with a cycle and an island.
    """
    rng = Random(seed)
    sides = islice(cycle(SIDES), SETS)
    found = kept("sets", seed, SETS, lambda: [_set(Dimension(*each), rng) for each in sides])
    return tuple((perfect, more, fewer, as_many) for perfect, more, fewer, as_many in found)


def _set(dimension: Dimension, rng: Random) -> tuple[str, str, str, str]:
    while True:
        tree = _tree(dimension, rng)
        count = rng.randint(1, MOST_CHANGES)
        changes = (
            with_passages(tree, rng, count),
            with_walls(tree, rng, count),
            with_cycle_and_island(tree, rng),
        )
        more, fewer, as_many = (change and change.to_text() for change in changes)
        if more and fewer and as_many:
            return tree.to_text(), more, fewer, as_many


def _tree(dimension: Dimension, rng: Random) -> Maze:
    from grader.exercises.kit.draw import TEXTURES  # only where none are kept yet

    texture = rng.choice(sorted(TEXTURES))
    return TEXTURES[texture](rng).generate(Factory(), dimension)


def with_a_way(text: str, rng: Random) -> str | None:
    """Move the entry to a random cell of the maze's largest part, and the exit as far from it as possible.

    None if the way is too short.
    """
    maze = facts_of(text).maze
    largest = max(_parts(maze), key=len)
    distances = distances_from(maze, rng.choice(sorted(largest)))
    entry, exit_ = min(distances, key=distances.__getitem__), max(distances, key=distances.__getitem__)
    return None if distances[exit_] < LEAST_WAY else marked(maze, entry, exit_).to_text()


def _parts(maze: Maze) -> Iterator[dict[Vector, int]]:
    """Yield the cells of each part of a maze between which there is a way."""
    seen = set[Vector]()
    for cell in maze.dimension.all_positions():
        if cell not in seen:
            part = distances_from(maze, cell)
            seen |= part.keys()
            yield part


@dataclass(frozen=True, slots=True)
class Stated:
    """What an instructor states about a solver in a maze with a way; every part may be omitted."""

    at_most_visits: int | None = None
    """The most cells visited up to the exit, including entry and exit."""
    at_most_moves: int | None = None
    at_most_cost: int | None = None
    must_visit: tuple[Vector, ...] = ()
    """Cells that must be visited before the exit."""
    way: Way | None = None
    """The moves, if no others are right."""


@dataclass(frozen=True, slots=True)
class FixedMaze:
    """A test maze from a file."""

    name: str
    text: str
    hidden: bool
    exercises: tuple[str, ...]
    stated: Mapping[str, tuple[Stated, ...]] = field(default_factory=dict)
    """By exercise, statements that the checks of all test mazes judge as well."""


_OPEN = {" ", *DIGITS}
Cell = tuple[int, int]
"""A row and a column, from 0."""
Side = tuple[Cell, Cell]
"""Two adjacent cells, the western or northern one first."""


class Parts:
    """Disjoint sets of joined cells; the smaller set is merged into the larger one."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._parts = {cell: [cell] for cell in cells}
        self.count = len(cells)
        """The number of parts."""

    def join(self, one: Cell, other: Cell) -> bool:
        """Join the parts of two cells; return whether they were different."""
        less, more = self._parts[one], self._parts[other]
        if less is more:
            return False
        if len(less) > len(more):
            less, more = more, less
        more += less
        for cell in less:
            self._parts[cell] = more
        self.count -= 1
        return True

    def are_joined(self, one: Cell, other: Cell) -> bool:
        """Return whether both are in the same part."""
        return self._parts[one] is self._parts[other]


class Grid(NamedTuple):
    """A maze."""

    rows: int
    columns: int
    passages: frozenset[Side]
    entry: Cell
    exit: Cell | None

    @property
    def cells(self) -> list[Cell]:
        """All cells, row by row."""
        return [(row, column) for row in range(self.rows) for column in range(self.columns)]

    @property
    def sides(self) -> list[Side]:
        """All places of a wall or a passage, row by row."""
        return [*_sides(self.rows, self.columns)]

    def parts(self) -> Parts:
        """Return the parts of the maze, each joined by passages."""
        parts = Parts(self.cells)
        for one, other in self.passages:
            parts.join(one, other)
        return parts

    def text(self) -> str:
        """Return the maze as text."""
        wall, cells = "+" + "-+" * self.columns, "|" + " |" * self.columns
        lines = [list(line) for line in (*(wall, cells) * self.rows, wall)]
        for (row, column), (below, _) in self.passages:
            if below == row:
                lines[2 * row + 1][2 * column + 2] = " "
            else:
                lines[2 * row + 2][2 * column + 1] = " "
        for mark, cell in (("S", self.entry), ("E", self.exit)):
            if cell is not None:
                lines[2 * cell[0] + 1][2 * cell[1] + 1] = mark
        return "\n".join(map("".join, lines))


@lru_cache(maxsize=64)
def _sides(rows: int, columns: int) -> tuple[Side, ...]:
    cells = product(range(rows), range(columns))
    pairs = (((r, c), other) for r, c in cells for other in ((r, c + 1), (r + 1, c)))
    return tuple((one, other) for one, other in pairs if other[0] < rows and other[1] < columns)


def read(text: str) -> Grid:
    """Read the grid of a maze from its text, without its costs."""
    lines = text.split("\n")
    rows, columns = len(lines) // 2, len(lines[0]) // 2
    marks: dict[str, Cell] = {}
    passages = set()
    for row in range(rows):
        for column in range(columns):
            marks.setdefault(lines[2 * row + 1][2 * column + 1], (row, column))
            if lines[2 * row + 1][2 * column + 2] in _OPEN:
                passages.add(((row, column), (row, column + 1)))
            if lines[2 * row + 2][2 * column + 1] in _OPEN:
                passages.add(((row, column), (row + 1, column)))
    return Grid(rows, columns, frozenset(passages), marks["S"], marks.get("E"))


class Shape(NamedTuple):
    """The features that determine a maze's kind."""

    is_joined: bool
    """Whether every cell can be reached."""
    has_cycle: bool
    has_way: bool
    """Whether there is a way from the entry to the exit."""
    has_exit: bool
    is_square: bool


def shape_of(grid: Grid, parts: Parts | None = None) -> Shape:
    """Return the shape of a maze; its parts can be passed if they are known."""
    parts = parts or grid.parts()
    return Shape(
        is_joined=parts.count == 1,
        has_cycle=len(grid.passages) > grid.rows * grid.columns - parts.count,
        has_way=grid.exit is not None and parts.are_joined(grid.entry, grid.exit),
        has_exit=grid.exit is not None,
        is_square=grid.rows == grid.columns,
    )


IS: dict[str, Callable[[Shape], bool]] = {
    "way": lambda shape: shape.has_exit and shape.is_joined and not shape.has_cycle,
    "cycles": lambda shape: shape.has_way and shape.has_cycle,
    "no way": lambda shape: not shape.has_way,
    "shapes": lambda shape: (
        shape.has_exit and shape.is_joined and not shape.has_cycle and not shape.is_square
    ),
    "reachable": lambda shape: shape.has_way,
    "perfect": lambda shape: shape.is_joined and not shape.has_cycle,
    "extra passage": lambda shape: shape.is_joined and shape.has_cycle,
    "missing passage": lambda shape: not shape.is_joined and not shape.has_cycle,
    "cycle and island": lambda shape: not shape.is_joined and shape.has_cycle,
}
"""Whether a maze has the feature of a kind, as in ``grader.exercises.kit.library.HAS``."""


def simpler(text: str, kind: str) -> Iterator[str]:
    """Yield smaller mazes of the same kind as texts, the smallest first, each once.

    There are none of those with costs: what made a difference would seldom make one in them.
    """
    if kind == COSTS:
        return
    grid = read(text)
    for turned in (False, True) if grid.columns >= grid.rows else (True, False):
        for less, shape in dict(_less(grid, turned)).items():
            if IS[kind](shape):
                yield less.text()


def _less(grid: Grid, turned: bool) -> Iterator[tuple[Grid, Shape]]:
    """Yield the mazes with one row less, or one column less if the maze is ``turned``."""
    flat = _turned(grid) if turned else grid
    for row in range(flat.rows if flat.rows > 1 else 0):
        for less, shape in _without_row(flat, row):
            yield _turned(less) if turned else less, shape


def _without_row(grid: Grid, row: int) -> Iterator[tuple[Grid, Shape]]:
    """Yield the mazes without the row.

    What it joined stays joined, or is closed; parts stay apart, or are joined again.
    """
    rows = grid.rows - 1
    kept = {_moved(side, row) for side in grid.passages if row not in (side[0][0], side[1][0])}
    above, below = (
        {one[1] for one, other in grid.passages if (one[0], other[0]) == (at, at + 1)}
        for at in (row - 1, row)
    )
    ends = [*product(_places(grid.entry, row, rows), _places(grid.exit, row, rows))]
    for through in (above & below, above | below) if 0 < row < rows else (set[int](),):
        across = {((row - 1, column), (row, column)) for column in through}
        ways = [*_joined(Grid(rows, grid.columns, frozenset(kept | across), (0, 0), None))]
        for entry, exit_ in ends:
            if entry != exit_ and entry is not None:
                for each, parts in ways:
                    less = each._replace(entry=entry, exit=exit_)
                    yield less, shape_of(less, parts)


def _moved(side: Side, row: int) -> Side:
    """Move a side up if it is below the row."""
    (r1, c1), (r2, c2) = side
    return (r1 - (r1 > row), c1), (r2 - (r2 > row), c2)


def _places(cell: Cell | None, row: int, rows: int) -> list[Cell | None]:
    """Return where an entry or exit can go: from the row itself, to the row before or after it."""
    if cell is None:
        return [None]
    at, column = cell
    if at != row:
        return [(at - (at > row), column)]
    return [(place, column) for place in (row - 1, row) if 0 <= place < rows]


def _joined(grid: Grid) -> Iterator[tuple[Grid, Parts]]:
    """Yield the grid, then the grid with the fewest passages that join all parts, chosen first or last."""
    yield grid, (parts := grid.parts())
    if parts.count > 1:
        for sides in (grid.sides, grid.sides[::-1]):
            parts = grid.parts()
            more = [side for side in sides if parts.join(*side)]
            yield grid._replace(passages=grid.passages.union(more)), parts


def _turned(grid: Grid) -> Grid:
    """Exchange rows and columns."""
    return Grid(
        grid.columns,
        grid.rows,
        frozenset((one[::-1], other[::-1]) for one, other in grid.passages),
        grid.entry[::-1],
        grid.exit[::-1] if grid.exit is not None else None,
    )


COMPLETE = (
    *((1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (4, 1), (2, 2), (1, 5), (5, 1), (1, 6), (6, 1), (2, 3), (3, 2)),
    *((1, 7), (7, 1), (1, 8), (8, 1)),
)
CHOSEN = (((2, 4), 150), ((4, 2), 150), ((3, 3), 500), ((3, 4), 150), ((4, 3), 150), ((4, 4), 150))
"""Dimensions, and how many mazes of each are drawn, of all kinds together."""
COSTS = "costs"
"""The kind of mazes with costs, which are made of those with cycles."""
PRICED = 4
"""How often costs are drawn for each."""
SEED = 1
SOLVED = ("way", "cycles", "no way", "shapes", "reachable")
"""The kinds for solvers; the others are for perfection checkers."""


@lru_cache(maxsize=16)
def small_mazes(kind: str) -> tuple[str, ...]:
    """Return the texts of the small mazes of a kind, the smallest first; to look for them takes long."""

    def found() -> list[str]:
        if kind == COSTS:
            return [*_with_costs(small_mazes("cycles"))]
        every = _every(for_solvers=kind in SOLVED)
        return [*dict.fromkeys(text for text, shape in every if IS[kind](shape))]

    return tuple(kept(f"small mazes, {kind}", SEED, 0, found))


def _with_costs(mazes: Iterable[str]) -> Iterator[str]:
    """Yield some of the mazes with costs that make a difference: the cheapest way is not among the shortest,
    or is one of several."""
    rng = Random(SEED)
    for text in mazes:
        for priced in (with_costs(Maze.from_text(text), rng) for _ in range(PRICED)):
            if is_detour(priced) or is_tie(priced):
                yield priced.to_text()
                break


@lru_cache(maxsize=2)
def _every(*, for_solvers: bool) -> tuple[tuple[str, Shape], ...]:
    all_of = _for_solvers if for_solvers else _for_checkers
    grids = chain(
        *(all_of(*sides) for sides in COMPLETE),
        *(_some(*sides, count, Random(SEED)) for sides, count in CHOSEN),
    )
    return tuple((grid.text(), shape_of(grid)) for grid in grids)


def _for_solvers(rows: int, columns: int) -> Iterator[Grid]:
    """Yield all mazes without unreachable passages, the simplest places of entry and exit first."""
    blank = Grid(rows, columns, frozenset(), (0, 0), None)
    walls = [(passages, shape_of(blank._replace(passages=passages))) for passages in _walls(blank)]
    cells = blank.cells
    for entry in cells:
        for exit_ in (*reversed(cells), None):
            if exit_ == entry:
                continue
            for passages, shape in walls:
                grid = Grid(rows, columns, passages, entry, exit_)
                if shape.is_joined or (_all_in_reach(grid) and not shape_of(grid).has_way):
                    yield grid


def _all_in_reach(grid: Grid) -> bool:
    parts = grid.parts()
    return all(parts.are_joined(one, grid.entry) for one, _ in grid.passages)


def _for_checkers(rows: int, columns: int) -> Iterator[Grid]:
    """Yield all walls with entry and exit in opposite corners, then without an exit, and rotated."""
    blank = Grid(rows, columns, frozenset(), (0, 0), None)
    first, last = blank.cells[0], blank.cells[-1]
    marks: tuple[tuple[Cell, Cell | None], ...] = ((first, last), (first, None), (last, first))
    for entry, exit_ in marks:
        for passages in _walls(blank):
            yield Grid(rows, columns, passages, entry, exit_)


def _walls(blank: Grid) -> Iterator[frozenset[Side]]:
    """Yield all sets of passages."""
    sides = blank.sides
    for opened in product((True, False), repeat=len(sides)):
        yield frozenset(side for side, is_open in zip(sides, opened, strict=True) if is_open)


def _some(rows: int, columns: int, count: int, rng: Random) -> Iterator[Grid]:
    """Yield mazes with a few passages more or fewer than a perfect one, which show mistakes best."""
    for _ in range(count):
        tree = _random_tree(Grid(rows, columns, frozenset(), (0, 0), None), rng)
        changed = frozenset(rng.sample(tree.sides, rng.choice((0, 0, 1, 1, 2))))
        entry, exit_ = rng.sample(tree.cells, 2)
        grid = tree._replace(passages=tree.passages ^ changed, entry=entry, exit=exit_)
        yield grid if rng.random() < 0.9 else grid._replace(exit=None)


def _random_tree(blank: Grid, rng: Random) -> Grid:
    seen, passages, sides = {blank.entry}, set[Side](), blank.sides
    while len(passages) < len(blank.cells) - 1:
        one, other = rng.choice(sides)
        if (one in seen) != (other in seen):
            passages.add((one, other))
            seen |= {one, other}
    return blank._replace(passages=frozenset(passages))
