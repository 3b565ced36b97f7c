"""Draw the examples of a property once, the same for everybody, and keep them.

Edits that give a maze the feature a check is about; all take and return text or mazes.

Randomness comes from a ``random.Random``; None if the edit is impossible in a maze.

Examples and trials, cached on disk: the same grader always gets the same ones, so once is enough.

The file name covers everything that they depend on: the sources that draw, the version of Hypothesis, the
seed and the count. A file holds plain data after its digest, so a damaged one is made again. A file that
cannot be read or written does no harm.

Hypothesis strategies for mazes, each the text of a maze with the feature that a check is about.

A maze is drawn as a dimension, a texture (a generator), a seed, an entry and an exit, and then edited. Small
numbers mean small, simple mazes, so that counterexamples shrink to these.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from grader.exercises.kit.costs import with_a_detour, with_a_tie
from grader.exercises.kit.facts import Facts
from grader.shipped import digest
from lab import EAST, SOUTH, Dimension, Factory, Maze, Vector
from lab.user_folders import user_folder
from reference.generators.registry import GENERATORS

Example = TypeVar("Example", bound=Hashable)

DRAWN_FOR_ONE = 3
"""Of so many examples drawn, one is kept: Hypothesis begins with small ones, and few would be large."""


def draw(
    strategy: st.SearchStrategy[Example], count: int, seed: int, size: Callable[[Example], int] = lambda _: 0
) -> tuple[Example, ...]:
    """Return ``count`` different examples, always the same for the same strategy and seed.

    Of all that are drawn, each size keeps its share. Fewer are returned if the strategy has no more of them.
    """
    found: dict[Example, None] = {}
    wanted = count * DRAWN_FOR_ONE
    for attempt in range(4):
        before = len(found)
        _collect(strategy, found, wanted + wanted // 8 + 10, seed + attempt)
        if len(found) >= wanted or len(found) == before:
            break
    by_size = sorted(tuple(found)[:wanted], key=size)
    kept = min(count, len(by_size))
    chosen = {by_size[number * len(by_size) // kept] for number in range(kept)}
    return tuple(example for example in found if example in chosen)


def _collect(strategy: st.SearchStrategy[Example], found: dict[Example, None], count: int, seed: int) -> None:
    @hypothesis.seed(seed)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(example: Example) -> None:
        found.setdefault(example)

    with without_our_constants():
        collect()


@contextmanager
def without_our_constants() -> Iterator[None]:
    """Make Hypothesis draw the same, whatever modules are loaded.

    It mixes constants from all loaded modules that are not installed into its draws, so two checkouts, or a
    checkout and the installed wheel, would get different examples.
    """
    found = providers._get_local_constants
    providers._get_local_constants = Constants
    providers.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        providers._get_local_constants = found
        providers.CONSTANTS_CACHE.cache.clear()


Wall = tuple[Vector, Vector]


def marked(maze: Maze, entry: Vector, exit_: Vector | None) -> Maze:
    """Return the same walls with another entry and exit."""
    lines = [line.replace("S", " ").replace("E", " ") for line in maze.to_text().split("\n")]
    for mark, cell in (("S", entry), ("E", exit_)):
        if cell is not None:
            line, column = 2 * cell.row - 1, 2 * cell.column - 1
            lines[line] = lines[line][:column] + mark + lines[line][column + 1 :]
    return Maze(lines)


def inner_sides(maze: Maze) -> Iterator[Wall]:
    """Yield each place of a possible wall or passage, as a cell and the move across it."""
    for cell in maze.dimension.all_positions():
        for move in (EAST, SOUTH):
            if maze.dimension.includes(cell + move):
                yield cell, move


def with_passages(maze: Maze, rng: Random, count: int) -> Maze | None:
    """Add ``count`` passages to the maze in random places."""
    return _changed(maze, rng, count, opening=True)


def with_walls(maze: Maze, rng: Random, count: int) -> Maze | None:
    """Close ``count`` passages of the maze in random places."""
    return _changed(maze, rng, count, opening=False)


def _changed(maze: Maze, rng: Random, count: int, *, opening: bool) -> Maze | None:
    sides = [side for side in inner_sides(maze) if maze.is_wall(*side) == opening]
    if not sides:
        return None
    changed = maze.copy()
    change = changed.break_wall if opening else changed.build_wall
    for side in rng.sample(sides, min(count, len(sides))):
        change(*side)
    return changed


def cut_off(maze: Maze, rng: Random) -> Maze | None:
    """Build a wall at a random place on the way of a perfect maze, so that the exit cannot be reached."""
    facts = Facts(maze.to_text())
    return None if facts.length is None else _cut(facts, rng.randrange(facts.length))


def cut_in_the_middle(maze: Maze) -> Maze:
    """Build a wall in the middle of the way of a perfect maze, so that both parts are large."""
    facts = Facts(maze.to_text())
    return _cut(facts, (facts.length or 0) // 2)


def _cut(facts: Facts, at: int) -> Maze:
    way, cell = facts.shortest_way or (), facts.maze.entry
    for move in way[:at]:
        cell = cell + move
    cut = facts.maze.copy()
    cut.build_wall(cell, way[at])
    return cut


def with_cycle_in_reach(maze: Maze, rng: Random) -> Maze | None:
    """Add a passage between two reachable cells."""
    return _with_cycle(maze, rng, in_reach=True)


def _with_cycle(maze: Maze, rng: Random, *, in_reach: bool) -> Maze | None:
    reached = Facts(maze.to_text()).distances
    sides = [
        (cell, move)
        for cell, move in inner_sides(maze)
        if maze.is_wall(cell, move) and (cell in reached) == (cell + move in reached) == in_reach
    ]
    if not sides:
        return None
    changed = maze.copy()
    changed.break_wall(*rng.choice(sides))
    return changed


def with_cycle_and_island(maze: Maze, rng: Random) -> Maze | None:
    """Return a maze with as many passages as a perfect one, but a cycle and unreachable cells.

    The cycle is on the entry's side, or on the island.
    """
    passages = [side for side in inner_sides(maze) if maze.is_clear(*side)]
    in_reach = rng.random() < 0.6
    for side in rng.sample(passages, len(passages)):
        cut = maze.copy()
        cut.build_wall(*side)
        if (changed := _with_cycle(cut, rng, in_reach=in_reach)) is not None:
            return changed
    return None


T = TypeVar("T")
MANY = 1000
"""Drawing this many examples takes long enough to say so."""


def kept(name: str, seed: int, count: int, draw: Callable[[], list[T]]) -> list[T]:
    """Return what ``draw`` returns, a list of plain data, cached on disk; from there, tuples come back as
    lists."""
    key = hashlib.sha256(f"{_sources()}|{name}|{seed}|{count}".encode()).hexdigest()[:32]
    place = folder()
    path = None if place is None else place / f"{key}.json"
    found: list[T] | None = None if path is None else _read(path)
    if found is not None:
        return found
    if count >= MANY:
        print(f"Drawing {count} examples of {name}; they are kept for the next time.", file=sys.stderr)
    drawn = draw()
    if path is not None:
        _keep(path, drawn)
    return drawn


def folder() -> Path | None:
    """Return the cache folder; None for a user without a home, who draws each time."""
    own = user_folder("XDG_CACHE_HOME", ".cache")
    return None if own is None else own / "maze-grader" / "cases"


def _read(path: Path) -> Any:
    try:
        told, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    return json.loads(content) if told == _digest_of(content) else None


def _digest_of(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def _keep(path: Path, drawn: list[T]) -> None:
    partial = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        content = json.dumps(drawn).encode()
        partial.write_bytes(_digest_of(content) + b"\n" + content)
        partial.replace(path)
    except OSError:
        with suppress(OSError):
            partial.unlink()


@cache
def _sources() -> str:
    """Return a digest of all sources that affect what is drawn."""
    drawn_by = digest("grader/exercises", "lab", "reference")
    return f"{version('hypothesis')}|{sys.version}|{drawn_by}"


TEXTURES = {name: generator for name, generator in GENERATORS.items() if name != "Random tree, shuffled"}
"""All of them, except shuffling with popping, which gives the same as popping at random."""


Edit = Callable[[Maze, Random], Maze | None]

SEEDS = st.integers(0, 2**32 - 1)


def dimensions(low: int = 2, high: int = 6) -> st.SearchStrategy[Dimension]:
    """Draw dimensions with sides from ``low`` to ``high``, with two cells or more."""
    sides = st.integers(low, high)
    return st.builds(Dimension, sides, sides).filter(lambda dimension: dimension.position_count > 1)


def long_dimensions(longest: int = 14, oblong: tuple[int, int] = (4, 10)) -> st.SearchStrategy[Dimension]:
    """Draw single rows and columns of up to ``longest`` cells, and grids much longer than wide."""
    return st.one_of(
        st.builds(Dimension, st.just(1), st.integers(2, longest)),
        st.builds(Dimension, st.integers(2, longest), st.just(1)),
        st.builds(Dimension, st.integers(2, 3), st.integers(*oblong)),
        st.builds(Dimension, st.integers(*oblong), st.integers(2, 3)),
    )


def trees(sizes: st.SearchStrategy[Dimension], *, exits: bool = True) -> st.SearchStrategy[Maze]:
    """Draw perfect mazes of every texture, with entry and exit anywhere; without ``exits``, some have no
    exit."""
    textures = st.sampled_from(sorted(TEXTURES))
    return st.builds(partial(_tree, exits=exits), sizes, textures, SEEDS)


def _tree(dimension: Dimension, texture: str, seed: int, *, exits: bool) -> Maze:
    rng = Random(seed)
    maze = TEXTURES[texture](rng).generate(Factory(), dimension)
    entry, exit_ = rng.sample(dimension.all_positions(), 2)
    return marked(maze, entry, exit_ if exits or rng.random() < 0.5 else None)


def changed(mazes: st.SearchStrategy[Maze], *changes: Edit) -> st.SearchStrategy[Maze]:
    """Draw the mazes after one or more random edits; skip those that cannot be edited."""

    def change(tree: Maze, seed: int) -> Maze | None:
        rng, maze = Random(seed), tree
        for edit in changes:
            edited = edit(maze, rng)
            if edited is None:
                return None
            maze = edited
        return maze

    return st.builds(change, mazes, SEEDS).filter(lambda maze: maze is not None)  # type: ignore[return-value]


def _some_passages(maze: Maze, rng: Random) -> Maze | None:
    return with_passages(maze, rng, 1 + int(rng.random() * 4))


def _priced(make: Edit, maze: Maze, rng: Random) -> Maze | None:
    """Add passages to the maze until costs can be drawn that make a difference."""
    for _ in range(4):
        more = with_passages(maze, rng, 1 + int(rng.random() * maze.dimension.position_count / 6))
        if more is None:
            return None
        maze = more
        if (priced := make(maze, rng)) is not None:
            return priced
    return None


def _one_passage(maze: Maze, rng: Random) -> Maze | None:
    return with_passages(maze, rng, 1)


def _one_wall(maze: Maze, rng: Random) -> Maze | None:
    return with_walls(maze, rng, 1)


def _no_exit(maze: Maze, _rng: Random) -> Maze | None:
    return marked(maze, maze.entry, None)


def _families(
    roomy: st.SearchStrategy[Dimension],
    three_or_more: st.SearchStrategy[Dimension],
    long: st.SearchStrategy[Dimension],
) -> dict[str, st.SearchStrategy[Maze]]:
    """Return the families of mazes of these dimensions; ``three_or_more`` are those with room for a cycle
    beside an island."""
    any_shape = st.one_of(roomy, long)
    return {
        "way": trees(roomy),
        "cycles": changed(trees(roomy), _some_passages),
        "costs": changed(trees(roomy), partial(_priced, with_a_detour)),
        "equal costs": changed(trees(roomy), partial(_priced, with_a_tie)),
        "no way": st.one_of(
            changed(trees(any_shape), _no_exit),
            changed(trees(any_shape), cut_off),
            changed(trees(roomy), _no_exit, with_cycle_in_reach),
            changed(trees(three_or_more), cut_off, with_cycle_in_reach),
        ),
        "shapes": trees(long),
        "perfect": trees(roomy),
        "extra passage": changed(trees(roomy), _one_passage),
        "missing passage": changed(trees(roomy), _one_wall),
        "cycle and island": changed(trees(three_or_more), with_cycle_and_island),
        "long perfect": trees(long, exits=False),
        "long imperfect": changed(trees(long, exits=False), _one_wall),
    }


ROOMY = dimensions(2, 6)
ANY = st.one_of(ROOMY, long_dimensions())
LARGER = st.one_of(dimensions(4, 12), dimensions(8, 20))
LARGER_LONG = long_dimensions(20, (11, 20))

FAMILIES = _families(ROOMY, dimensions(3, 6), long_dimensions())
"""What the checks draw from: small mazes, which show most mistakes."""
ORDINARY = _families(LARGER, LARGER, LARGER_LONG)
"""Mazes such as students try, of any shape up to 20 x 20: some show mistakes that small ones hide."""
ORDINARY_ANY = st.one_of(LARGER, LARGER_LONG)


def draw_mazes(family: str, count: int, seed: int, *, is_ordinary: bool) -> list[str]:
    """Return the texts of mazes of a family, small ones or ordinary ones."""
    mazes = (ORDINARY if is_ordinary else FAMILIES)[family]
    return [*draw(mazes.map(Maze.to_text), count, seed, size=len)]


def draw_sizes(count: int, seed: int, *, is_ordinary: bool) -> list[tuple[int, int, int]]:
    """Return rows, columns and a small seed for mazes to be generated."""
    pairs = st.tuples(ORDINARY_ANY if is_ordinary else ANY, SEEDS)
    drawn = pairs.map(lambda pair: (pair[0].row_count, pair[0].column_count, pair[1] % 1000))
    return [*draw(drawn, count, seed, size=lambda each: each[0] * each[1])]
