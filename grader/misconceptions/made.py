"""What a generator made, and the features that tell one mistake from another."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from grader.misconceptions.answers import Features, features_of
from grader.misconceptions.model import Explains, Pair
from lab import MazeFormatError

ROOMY = 6
"""In mazes of so many rows and columns, two alike are no chance."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One call of a generator."""

    rows: int
    columns: int
    seed: int
    ending: str
    """too deep (a RecursionError), or as the claim has it."""
    mazes: tuple[str, ...]
    """The mazes that were made; what is no maze is left out."""
    kinds: tuple[str, ...]
    """The types of R in PROTOCOL.md."""

    @property
    def features(self) -> tuple[Features, ...]:
        """What is true of the mazes."""
        return tuple(features_of(text) for text in self.mazes)

    @property
    def all_mazes(self) -> bool:
        """Everything that was made is a maze."""
        return self.ending == "returned" and all(kind == "maze" for kind in self.kinds)

    @property
    def sizes(self) -> set[tuple[int, int]]:
        """The dimensions of the mazes."""
        return {(f.maze.dimension.row_count, f.maze.dimension.column_count) for f in self.features}

    @property
    def fits(self) -> bool:
        """Perfect mazes of the dimension that was asked for, with entry and exit."""
        return (
            self.all_mazes
            and self.sizes == {(self.rows, self.columns)}
            and all(f.perfect and f.maze.has_exit() for f in self.features)
        )


def sights_of(pairs: Sequence[Pair]) -> list[Sight]:
    """What came of all calls."""
    return [_sight(pair) for pair in pairs]


def _sight(pair: Pair) -> Sight:
    call, claim = pair
    returned = claim.value["returned"] if claim.outcome == "returned" else []
    mazes = tuple(each["value"] for each in returned if each["type"] == "maze" and _is_maze(each["value"]))
    given = call.arguments
    deep = claim.fault is not None and claim.fault.kind == "RecursionError"
    return Sight(
        rows=given["rows"],
        columns=given["columns"],
        seed=given["seed"],
        ending="too deep" if deep else claim.outcome,
        mazes=mazes,
        kinds=tuple(each["type"] for each in returned),
    )


def _is_maze(text: str) -> bool:
    try:
        features_of(text)
    except MazeFormatError:
        return False
    return True


def wrong_of(_exercise: str, sights: Sequence[Sight]) -> list[Sight]:
    """Mazes that do not fit, and mazes of the wrong luck: that takes two calls to tell."""
    unlucky = {id(sight) for group in (*twins(sights), *others(sights)) for sight in group}
    unlucky |= {id(sight) for sight in sights if _repeats(sight)}
    return [sight for sight in sights if not sight.fits or id(sight) in unlucky]


def _repeats(sight: Sight) -> bool:
    return min(sight.rows, sight.columns) >= ROOMY and len(set(sight.mazes)) < len(sight.mazes)


def twins(sights: Sequence[Sight]) -> list[list[Sight]]:
    """Calls with one seed and dimension that made different mazes."""
    groups = _grouped(sights, lambda sight: (sight.rows, sight.columns, sight.seed))
    return [group for group in groups if len({sight.mazes[:1] for sight in group}) > 1]


def others(sights: Sequence[Sight]) -> list[list[Sight]]:
    """Calls with different seeds and a roomy dimension that made the same mazes."""
    roomy = [sight for sight in sights if sight.mazes and min(sight.rows, sight.columns) >= ROOMY]
    groups = _grouped(roomy, lambda sight: (sight.rows, sight.columns, sight.mazes[0]))
    return [group for group in groups if len({sight.seed for sight in group}) > 1]


def _grouped(sights: Sequence[Sight], key: Callable[[Sight], Hashable]) -> list[list[Sight]]:
    groups: dict[Hashable, list[Sight]] = {}
    for sight in sights:
        groups.setdefault(key(sight), []).append(sight)
    return list(groups.values())


def by_calls(explains_call: Callable[[Sight], bool]) -> Explains:
    """The model that explains each call for itself."""
    return lambda _exercise, sights: all(map(explains_call, sights))
