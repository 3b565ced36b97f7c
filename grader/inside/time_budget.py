"""How long a call may take: all its seconds, until a call of the submission has timed out.

A loop in the code that all files share costs one limit, then a quarter a file, then a tenth each.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from .wire import CALM, WALL

SHARES: Final = (1.0, 0.25, 0.1)
"""The part of its seconds that a call keeps where nothing has timed out, another file, this file."""
MIN_CPU: Final = 0.2
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
    hurry: int = CALM

    def seconds(self, cpu: float) -> Seconds:
        """Return the seconds of a call that may use so many CPU seconds where nothing hurries."""
        wall, share = min(self.wall, WALL * cpu), SHARES[self.hurry]
        return Seconds(min(cpu, max(MIN_CPU, share * cpu)), min(wall, max(MIN_WALL, share * wall)))

    def group_seconds(self, cpu: float) -> float:
        """Return the CPU seconds that all calls of such a call's group may use together."""
        return GROUP * self.seconds(cpu).cpu
