"""How long a call may take: all its seconds, until a call of the submission has timed out.

A loop in the code that all files share costs one limit, then a quarter a file, then a tenth each.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

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

    def seconds(self, call: dict[str, Any]) -> Seconds:
        """Return the seconds of a call, as it stands in a batch."""
        cpu = float(call["cpu_seconds"])
        wall, share = min(self.wall, WALL * cpu), SHARES[self.hurry]
        return Seconds(min(cpu, max(MIN_CPU, share * cpu)), min(wall, max(MIN_WALL, share * wall)))

    def group_seconds(self, call: dict[str, Any]) -> float:
        """Return the CPU seconds of the call's group, all calls of it together."""
        return group_seconds(float(call["cpu_seconds"]), self.hurry)


def group_seconds(cpu: float, hurry: int) -> float:
    """Return the CPU seconds that a group may use, one call of which may use ``cpu``."""
    return GROUP * min(cpu, max(MIN_CPU, SHARES[hurry] * cpu))
