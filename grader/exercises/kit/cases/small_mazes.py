"""The small mazes of each kind, the smallest first: a submission is shown the first one that it gets wrong.

They are all mazes of up to six cells and all corridors of up to eight, except those equivalent to another
one: solvers see nothing beyond the walls of the entry's part, and entry and exit mean nothing to a perfection
checker. Of larger mazes there is a fixed selection of those that show mistakes best.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, product
from random import Random

from grader.exercises.kit.cases.grid import IS, Cell, Grid, Shape, Side, shape_of
from grader.exercises.kit.cases.store import kept

COMPLETE = (
    *((1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (4, 1), (2, 2), (1, 5), (5, 1), (1, 6), (6, 1), (2, 3), (3, 2)),
    *((1, 7), (7, 1), (1, 8), (8, 1)),
)
CHOSEN = (((2, 4), 150), ((4, 2), 150), ((3, 3), 500), ((3, 4), 150), ((4, 3), 150), ((4, 4), 150))
"""Dimensions, and how many mazes of each are drawn, of all kinds together."""
SEED = 1
SOLVED = ("way", "cycles", "no way", "shapes", "reachable")
"""The kinds for solvers; the others are for perfection checkers."""


@lru_cache(maxsize=16)
def small_mazes(kind: str) -> tuple[str, ...]:
    """Return the texts of the small mazes of a kind, the smallest first; to look for them takes long."""

    def found() -> list[str]:
        every = _every(for_solvers=kind in SOLVED)
        return [*dict.fromkeys(text for text, shape in every if IS[kind](shape))]

    return tuple(kept(f"small mazes, {kind}", SEED, 0, found))


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
