"""What a generator made, call by call, and whether the seed mattered."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial

from grader.exercises.kit.maze_features import Features, features_of
from grader.exercises.kit.misconception import Explains, Pair
from grader.model import Generate
from grader.model.claims import MazeValue
from lab import MazeFormatError

_ROOMY = 6
"""Two mazes of at least this many rows and columns are never alike by chance."""


@dataclass(frozen=True, slots=True)
class Generated:
    """The outcome of one call."""

    rows: int
    columns: int
    seed: int
    anew: bool
    """Whether the program was restarted for it."""
    ending: str
    """"too deep" for a RecursionError, otherwise as in the claim."""
    mazes: tuple[str, ...]
    """The mazes that were made, without anything else."""
    kinds: tuple[str, ...]
    """The types of R in PROTOCOL.md."""

    @property
    def features(self) -> tuple[Features, ...]:
        """The features of the mazes."""
        return tuple(features_of(text) for text in self.mazes)

    @property
    def roomy(self) -> bool:
        """Whether two mazes of this dimension are never alike by chance."""
        return min(self.rows, self.columns) >= _ROOMY

    @property
    def all_mazes(self) -> bool:
        """Whether everything that was made is a maze."""
        return self.ending == "returned" and all(kind == "maze" for kind in self.kinds)

    @property
    def sizes(self) -> set[tuple[int, int]]:
        """The dimensions of the mazes."""
        return {(f.maze.dimension.row_count, f.maze.dimension.column_count) for f in self.features}

    @property
    def fits(self) -> bool:
        """Whether all are perfect mazes of the requested dimension, with entry and exit."""
        return self.all_mazes and all(map(self.is_fit, self.features))

    def is_fit(self, maze: Features) -> bool:
        """Return whether a maze is perfect and of the requested dimension, with entry and exit."""
        size = maze.maze.dimension
        fits = (size.row_count, size.column_count) == (self.rows, self.columns)
        return fits and maze.perfect and maze.maze.has_exit()


def read(pairs: Sequence[Pair]) -> list[Generated]:
    """Read the outcomes of all calls."""
    return [_generated(pair) for pair in pairs]


def _generated(pair: Pair) -> Generated:
    call, claim = pair
    asked = call.asked(Generate)
    returned = claim.made if claim.outcome == "returned" else ()
    mazes = tuple(each.text for each in returned if isinstance(each, MazeValue) and _is_maze(each.text))
    deep = claim.fault is not None and claim.fault.kind == "RecursionError"
    return Generated(
        rows=asked.rows,
        columns=asked.columns,
        seed=asked.seed,
        anew=call.anew,
        ending="too deep" if deep else claim.outcome,
        mazes=mazes,
        kinds=tuple(each.kind for each in returned),
    )


def _is_maze(text: str) -> bool:
    try:
        features_of(text)
    except MazeFormatError:
        return False
    return True


def wrong_of(_exercise: str, calls: Sequence[Generated]) -> list[Generated]:
    """Return calls whose mazes do not fit, or that show, together with another call, that the seed has no
    effect."""
    unlucky = {id(call) for group in (*unrepeated(calls), *_alike(calls)) for call in group}
    unlucky |= {id(call) for call in calls if call.roomy and len(set(call.mazes)) < len(call.mazes)}
    return [call for call in calls if not call.fits or id(call) in unlucky]


def unrepeated(calls: Sequence[Generated]) -> list[list[Generated]]:
    """Return groups of calls with equal seed and dimension that made different mazes."""
    groups = _grouped(calls, lambda call: (call.rows, call.columns, call.seed))
    return [group for group in groups if len({call.mazes[:1] for call in group}) > 1]


def _alike(calls: Sequence[Generated]) -> list[list[Generated]]:
    """Return groups of calls with different seeds and equal roomy dimension that made the same mazes."""
    roomy = [call for call in calls if call.mazes and call.roomy]
    groups = _grouped(roomy, lambda call: (call.rows, call.columns, call.mazes[0]))
    return [group for group in groups if len({call.seed for call in group}) > 1]


def _grouped(calls: Sequence[Generated], key: Callable[[Generated], Hashable]) -> list[list[Generated]]:
    groups: dict[Hashable, list[Generated]] = {}
    for call in calls:
        groups.setdefault(key(call), []).append(call)
    return list(groups.values())


def by_calls(*variants: Callable[[Generated], bool]) -> Explains:
    """Return a model that holds if one variant explains each call separately."""
    return lambda _exercise, calls: any(all(map(variant, calls)) for variant in variants)


def by_mazes(*variants: Callable[[Features], bool]) -> Explains:
    """Return a model of a generator that makes only mazes, all of which fit the same variant."""
    return by_calls(*(partial(_all_are, variant) for variant in variants))


def _all_are(variant: Callable[[Features], bool], call: Generated) -> bool:
    return call.all_mazes and all(map(variant, call.features))
