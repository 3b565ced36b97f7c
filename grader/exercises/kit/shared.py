"""Names for what wrong answers to an exercise share, computed from a space of right and wrong work.

A space is made of coordinates. All its points are tried on what was seen. Each coordinate is named that the
points which agree with all of it share, and that no right point has; where they share none, nothing is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from grader.model import Call, Claim

Pair = tuple[Call, Claim]

ENOUGH: Final = 5
"""On how many mazes something has to be seen before it is named."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What all points share that agree with what was seen."""

    names: tuple[str, ...]
    explains: Callable[[Pair], bool]
    """Tells whether one of these points would have answered like this."""


@dataclass(frozen=True, slots=True)
class Space:
    """A space of work on an exercise."""

    names: Callable[[str], Sequence[str]]
    """Return all names that an exercise's coordinates may have."""
    find: Callable[[str, Sequence[Pair]], Shared | None]
    """Return what the points share that agree with all calls of an exercise; None if they share nothing."""


def in_common(points: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the coordinates that are the same in all points; "" is one that right work may have, too."""
    values = [set(each) for each in zip(*points, strict=True)]
    return tuple(name for each in values if len(each) == 1 for name in each if name)
