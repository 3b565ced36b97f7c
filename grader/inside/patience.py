"""How long a call may take: all its seconds, until a call of the submission has timed out."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from .wire import WALL

HURRIED: Final = 0.25
"""The part of its seconds that a call keeps once another has timed out: a loop in the code that
all calls share costs one limit, and then a quarter each."""
MIN_CPU: Final = 0.25
MIN_WALL: Final = 1.0
GROUP: Final = 3.0
"""So many times what one of its calls may use, the calls of a group may use together."""


class Seconds(NamedTuple):
    """What one call may use."""

    cpu: float
    wall: float


class Patience(NamedTuple):
    """The rule that both sides of the wire follow."""

    wall: float
    hurried: bool = False

    def seconds(self, call: dict[str, Any]) -> Seconds:
        """Return the seconds of a call, as it stands in a batch."""
        cpu = float(call["cpu_seconds"])
        wall = min(self.wall, WALL * cpu)
        if not self.hurried:
            return Seconds(cpu, wall)
        return Seconds(min(cpu, max(MIN_CPU, HURRIED * cpu)), min(wall, max(MIN_WALL, HURRIED * wall)))
