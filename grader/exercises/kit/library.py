"""The case book: where all checks get their cases, each family drawn once."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from random import Random
from typing import TypeVar

from grader.exercises.kit.costs import has_costs, with_a_detour, with_costs
from grader.exercises.kit.draw import cut_in_the_middle, inner_sides, kept
from grader.exercises.kit.facts import facts_of
from grader.exercises.kit.small_mazes import FixedMaze
from grader.languages import Message, said
from lab import Dimension, Factory, Maze, Vector
from reference.generators.my_generator import MyGenerator

T = TypeVar("T")

SMALL_FOR_ONE = 2
"""How many small mazes of a family are drawn for one of up to 20 x 20."""
MOST_SEEDS = 1_000_000
"""Seeds of calls have up to six digits, since they are typed."""
MIDDLE = Dimension(24, 24)
"""The dimension of mazes on which slow code takes long; on larger ones it takes longest."""


HAS: dict[str, Callable[[str], bool]] = {
    "way": lambda text: facts_of(text).length is not None and facts_of(text).is_perfect,
    "cycles": lambda text: facts_of(text).length is not None and bool(facts_of(text).cycle),
    "costs": lambda text: facts_of(text).length is not None and has_costs(text),
    "no way": lambda text: facts_of(text).length is None,
    "shapes": lambda text: (
        facts_of(text).length is not None
        and facts_of(text).is_perfect
        and facts_of(text).dimension.row_count != facts_of(text).dimension.column_count
    ),
    "reachable": lambda text: facts_of(text).length is not None,
    "perfect": lambda text: facts_of(text).is_perfect,
    "extra passage": lambda text: not facts_of(text).islands and not facts_of(text).is_perfect,
    "missing passage": lambda text: bool(facts_of(text).islands) and not facts_of(text).cycle,
    "cycle and island": lambda text: bool(facts_of(text).islands) and bool(facts_of(text).cycle),
}
"""Whether a maze has the feature of a family, by which fixed and small mazes are sorted."""


@dataclass
class CaseBook:
    """The cases of one rubric: its seed, how many examples a property has, and its test mazes."""

    seed: int
    examples: int
    mazes: Sequence[FixedMaze] = ()
    _drawn: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def family(self, name: str) -> tuple[str, ...]:
        """Return the texts of the mazes of a family."""
        if name not in self._drawn:
            small = self._texts(name, name, self.examples)
            ordinary = self._texts(f"{name}, ordinary", name, max(1, self.examples // SMALL_FOR_ONE))
            self._drawn[name] = (*small, *(text for text in ordinary if text not in small))
        return self._drawn[name]

    def _texts(self, name: str, family: str, count: int) -> list[str]:
        def make(seed: int) -> list[str]:
            from grader.exercises.kit.draw import draw_mazes  # only where none are kept yet

            return draw_mazes(family, count, seed, is_ordinary=name != family)

        return self.kept(name, count, make)

    def kept(self, name: str, count: int, make: Callable[[int], list[T]]) -> list[T]:
        """Return ``count`` examples of plain data that ``make`` makes from a seed of that name.

        They are cached on disk; from there, tuples come back as lists.
        """
        return _kept(name, self.seed, count, make)

    def sizes(self) -> list[tuple[Dimension, int]]:
        """Return dimensions for a generator, each with a seed: small ones, then as many of up to 20 x 20.

        Most of the latter are corridors, and those that are not shall not be so few that luck decides. They
        are the same in each course, as all that a generator is called with: see ``seeds``.
        """
        small = self._sizes("sizes", self.examples)
        return [*small, *self._sizes("sizes, ordinary", self.examples)]

    def _sizes(self, name: str, count: int) -> list[tuple[Dimension, int]]:
        def make(seed: int) -> list[tuple[int, int, int]]:
            from grader.exercises.kit.draw import draw_sizes

            return draw_sizes(count, seed, is_ordinary=name != "sizes")

        return [(Dimension(rows, columns), luck) for rows, columns, luck in _kept(name, 0, count, make)]

    def fixed(self, exercise: str, *, hidden: bool, having: str | None = None) -> list[FixedMaze]:
        """Return an exercise's test mazes that have the requested feature."""
        return [
            maze
            for maze in self.mazes
            if maze.hidden == hidden
            and exercise in maze.exercises
            and (having is None or HAS[having](maze.text))
        ]


def _kept(name: str, seed: int, count: int, make: Callable[[int], list[T]]) -> list[T]:
    named = seed + zlib.crc32(name.encode())
    return kept(name, named, count, lambda: make(named))


def seeds(name: str, count: int) -> list[int]:
    """Return seeds for the calls of a check, or of what has another name.

    Students read them, so they tell nothing of the seed of the course, from which hidden mazes are drawn.
    """
    digests = (sha256(f"{name} {number}".encode()).digest() for number in range(count))
    return [int.from_bytes(digest[:8], "big") % MOST_SEEDS for digest in digests]


@lru_cache(maxsize=4)
def large_mazes(seed: int) -> tuple[tuple[Message, str], ...]:
    """Return mazes of 60 x 60 with names: long corridors, many branches, cycles, no exit, no way at all.

    Two of 24 x 24 come first: a submission that fails there is not asked about the others, which may take
    long.
    """

    def make() -> list[tuple[str, str]]:
        mazes = [*_middle_mazes(seed).items(), *_largest_mazes(seed).items()]
        return [(name, maze.to_text()) for name, maze in mazes]

    return tuple((said(name, size=_size(text)), text) for name, text in kept("large mazes", seed, 10, make))


@lru_cache(maxsize=4)
def large_mazes_with_costs(seed: int) -> tuple[tuple[Message, str], ...]:
    """Return those of the large mazes that have cycles, or no way, with costs.

    In most of those with a way, the cheapest way is not among the shortest.
    """

    def make() -> list[tuple[str, str]]:
        mazes = [*_middle_mazes(seed).items(), *_largest_mazes(seed).items()]
        cyclic = [(name, maze) for name, maze in mazes if name.startswith(("many_cycles", "empty_room"))]
        rng = Random(seed)
        priced = ((name, with_a_detour(maze, rng) or with_costs(maze, rng)) for name, maze in cyclic)
        return [(name, maze.to_text()) for name, maze in priced]

    found = kept("large mazes with costs", seed, 5, make)
    return tuple((said(name, size=_size(text)), text) for name, text in found)


def _middle_mazes(seed: int) -> dict[str, Maze]:
    rooms = _with_many_cycles(MyGenerator(Random(seed)).generate(Factory(), MIDDLE))
    return {"many_cycles": rooms, "many_cycles_no_way": _without_a_way(rooms)}


def _largest_mazes(seed: int) -> dict[str, Maze]:
    from grader.exercises.kit.draw import TEXTURES

    dimension = Dimension(60, 60)
    tree = TEXTURES["Random tree, last popped"](Random(seed)).generate(Factory(), dimension)
    division = MyGenerator(Random(seed)).generate(Factory(), dimension)
    rooms = _with_many_cycles(division)
    return {
        "serpentine": serpentine(dimension),
        "twisty": tree,
        "divided_room": division,
        "many_cycles": rooms,
        "many_cycles_no_way": _without_a_way(rooms),
        "serpentine_no_exit": Maze.from_text(serpentine(dimension).to_text().replace("E", " ")),
        "twisty_walled": cut_in_the_middle(tree),
        "empty_room": Factory().fully_connected(dimension),
    }


def nearly_perfect(seed: int) -> tuple[str, ...]:
    """Return a perfect maze with a passage added, with one removed, and with one moved, far from the entry.

    So it does not help to check a hundredth of the maze or its first rows. The last one also comes in 60 x 60
    cells.
    """
    return tuple(kept("nearly perfect", seed, 4, lambda: _nearly_perfect(seed)))


def _nearly_perfect(seed: int) -> list[str]:
    tree = MyGenerator(Random(seed)).generate(Factory(), MIDDLE)
    far = [side for side in inner_sides(tree) if min(side[0]) > MIDDLE.row_count // 2]
    more, fewer = tree.copy(), tree.copy()
    more.break_wall(*next(side for side in reversed(far) if tree.is_wall(*side)))
    fewer.build_wall(*next(side for side in reversed(far) if not tree.is_wall(*side)))
    moved = (_with_cycle_and_island(side, seed) for side in (MIDDLE, Dimension(60, 60)))
    return [more.to_text(), fewer.to_text(), *moved]


def _with_cycle_and_island(dimension: Dimension, seed: int) -> str:
    """Return a maze with one unreachable cell, in the last row, and a cycle that keeps the passage count."""
    maze = MyGenerator(Random(seed)).generate(Factory(), dimension)
    rows, columns = dimension.row_count, dimension.column_count
    cells = [Vector(rows, column) for column in range(1, columns)]
    cell = next(cell for cell in cells if len(maze.valid_moves_at(cell)) == 1)
    maze.build_wall(cell, maze.valid_moves_at(cell)[0])
    closed = next(
        side
        for side in reversed([*inner_sides(maze)])
        if maze.is_wall(*side) and cell not in (side[0], side[0] + side[1])
    )
    maze.break_wall(*closed)
    return maze.to_text()


def _with_many_cycles(tree: Maze) -> Maze:
    """Return a copy with an eastward passage in every third cell."""
    maze = tree.copy()
    for cell in maze.dimension.all_positions():
        if sum(cell) % 3 == 0 and cell.column < maze.dimension.column_count:
            maze.break_wall(cell, (0, 1))
    return maze


def _without_a_way(maze: Maze) -> Maze:
    """Return a copy with walls all around the last cell, which is the exit."""
    walled = maze.copy()
    last = (maze.dimension.row_count, maze.dimension.column_count)
    for move in walled.valid_moves_at(last):
        walled.build_wall(last, move)
    return walled


def rooms_without_a_way() -> tuple[str, ...]:
    """Return empty rooms without an exit, and with one that is walled off: many cycles, and no way."""
    texts = []
    for side in (6, 7):
        room = Factory().fully_connected(Dimension(side, side))
        walled = room.copy()
        walled.build_wall((side, side), (-1, 0))
        walled.build_wall((side, side), (0, -1))
        texts += [room.to_text().replace("E", " "), walled.to_text()]
    return tuple(texts)


def equal_ways() -> tuple[str, str]:
    """Return two mazes with ways of equal length that reveal the exploration order.

    A solver that explores in any other order than North, East, South, West finds another way in one of them,
    so its order shows even if its visits are not seen.
    """
    return (
        "+-+-+-+-+\n|       |\n+ +-+ + +\n|S  |  E|\n+ + + + +\n| |     |\n+-+-+-+-+",
        "+-+-+-+\n|    S|\n+ + +-+\n|     |\n+ +-+ +\n|  E  |\n+-+-+-+",
    )


def serpentine(dimension: Dimension) -> Maze:
    """Return a single corridor through every cell, alternately eastwards and westwards."""
    maze = Factory().fully_disconnected(dimension)
    for cell in dimension.all_positions():
        if cell.column < dimension.column_count:
            maze.break_wall(cell, (0, 1))
        at_turn = dimension.column_count if cell.row % 2 else 1
        if cell.column == at_turn and cell.row < dimension.row_count:
            maze.break_wall(cell, (1, 0))
    return maze


def wave_of(cells: int) -> int:
    """Return the wave, 0 to 2, in which a maze with this many cells is used."""
    return (cells >= MIDDLE.position_count) + (cells > MIDDLE.position_count)


def size_of(text: str) -> Message:
    """Describe a maze by its size, for people."""
    return said("a_maze", size=_size(text))


def _size(text: str) -> str:
    return str(facts_of(text).dimension)
