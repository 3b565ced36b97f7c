"""The space of checkers: what they ask of a maze, and what they lean on, so that all answers follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Final

from grader.exercises.kit.facts import Features, features_of
from grader.exercises.kit.shared import ENOUGH, Pair, Shared, Space, in_common
from grader.exercises.perfection.judge import truth
from grader.exercises.perfection.typical_mistakes import is_out, stops_at_the_exit
from grader.model import IsPerfect

Asks = Callable[[Features], bool]


def _nothing(_maze: Features) -> bool:
    return True


_COUNTS: Final[tuple[Asks, ...]] = (_nothing, lambda maze: len(maze.edges) == len(maze.cells) - 1)
_CYCLES: Final[tuple[Asks, ...]] = (
    _nothing,
    lambda maze: maze.acyclic,
    lambda maze: maze.acyclic_in_reach,
)
_REACH: Final[tuple[Asks, ...]] = (_nothing, lambda maze: maze.connected)
_LEANS: Final[Mapping[Asks, str]] = {
    _nothing: "",
    lambda maze: maze.maze.has_exit(): "leans-on-the-exit",
    lambda maze: maze.maze.exit in maze.reached: "leans-on-the-exit",
    is_out: "leans-on-the-exit",
    lambda maze: not maze.perfect or stops_at_the_exit(maze): "leans-on-the-exit",
    lambda maze: maze.maze.exit == maze.cells[-1]: "leans-on-the-exit",
    lambda maze: maze.maze.exit in (None, maze.cells[-1]): "leans-on-the-exit",
    lambda maze: maze.maze.entry == maze.cells[0]: "leans-on-the-entry",
}
_ONLY: Final = ("counts-passages-only", "cycles-only", "reach-only")
_POINTS: Final = tuple(product(_COUNTS, _CYCLES, _REACH, _LEANS))
_Point = tuple[Asks, Asks, Asks, Asks]


def _named(point: _Point) -> tuple[str, str]:
    """Return the names of a point's coordinates: "" where it asks for two things, which are enough."""
    *asks, leans = point
    only = [name for name, each in zip(_ONLY, asks, strict=True) if each is not _nothing]
    return (only[0] if len(only) == 1 else "" if only else "looks-at-nothing"), _LEANS[leans]


def _find(_exercise: str, pairs: Sequence[Pair]) -> Shared | None:
    asked = [(call.asked(IsPerfect), claim.answer) for call, claim in pairs]
    answers = [
        (features_of(it.maze), given)
        for it, answer in asked
        if answer is not None and not it.before and (given := truth(answer.returned)) is not None
    ]
    left = list(_POINTS)
    for maze, given in answers:
        left = [point for point in left if all(asks(maze) for asks in point) is given]
    names = in_common(map(_named, left))
    if not names or len(answers) < ENOUGH:
        return None
    return Shared(names, lambda pair: pair[1].answer is not None)


SPACE: Final = Space(lambda _: sorted({*_ONLY, "looks-at-nothing", *_LEANS.values()} - {""}), _find)
