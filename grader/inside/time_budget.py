"""How long a call may take: all its seconds, until a call of the submission has timed out.

A loop in the code that all files share costs one limit, then a quarter a file, then a tenth each.
"""

from __future__ import annotations

from typing import Final, NamedTuple

CALM, HURRIED, PRESSED = 0, 1, 2
"""No call has timed out; one of another file has; one of the file that is to be called has."""
SHARES: Final = (1.0, 0.25, 0.1)
"""The part of its seconds that a call keeps when calm, hurried, pressed."""
COSTLY: Final = ("timeout", "violation")
"""Outcomes that a whole limit may have been waited for: the calls that follow get less."""
WALL_FACTOR: Final = 5.0
"""A call may last at most 5 times its CPU seconds: it may sleep, but not for long."""
MIN_CPU_SECONDS: Final = 0.2
MIN_WALL_SECONDS: Final = 1.0
"""However pressed, a call gets this much, or all its seconds where they are fewer."""


class Seconds(NamedTuple):
    """What one call may use."""

    cpu: float
    wall: float


class TimeBudget(NamedTuple):
    """The rule that both sides of the wire follow."""

    wall_seconds: float
    """What a call may last at most, however many CPU seconds it has."""
    hurry: int = CALM

    def of_call(self, cpu_seconds: float) -> Seconds:
        """Return what a call may use that has ``cpu_seconds`` where nothing hurries."""
        share = SHARES[self.hurry]
        wall_seconds = min(self.wall_seconds, WALL_FACTOR * cpu_seconds)
        return Seconds(
            min(cpu_seconds, max(MIN_CPU_SECONDS, share * cpu_seconds)),
            min(wall_seconds, max(MIN_WALL_SECONDS, share * wall_seconds)),
        )
