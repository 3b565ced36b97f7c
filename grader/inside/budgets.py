"""What one call may use: turns and questions, which every machine counts alike, and seconds behind them.

The grader works out the whole budget of a call; how much of it the call gets follows from how calls
before it of the same file ended: after one that ran into a clock, the others get a tenth of their seconds;
after one that was endless, far fewer turns. On a busy machine, the seconds on the wall are stretched.
"""

from __future__ import annotations

from typing import Final, NamedTuple

CALM, PRESSED, PATIENT = 0, 1, 2
"""No call of the file has timed out; one has; the call has timed out once and is tried again alone."""
SECONDS_SHARES: Final = (1.0, 0.1, 1.0)
"""The part of its seconds that a call gets when calm, pressed, patient."""
COSTLY: Final = ("timeout", "violation")
"""Outcomes that may have cost a whole limit: the calls that follow get less."""
ENDLESS: Final = "endless"
MIN_CPU_SECONDS: Final = 0.2
MIN_WALL_SECONDS: Final = 1.0
"""However pressed, a call gets this much, or all its seconds where they are fewer."""
LOADING_TURNS: Final = 20_000_000
"""The turns that a file may take to be loaded."""
LOADING_DEPTH: Final = 8_000
"""The number of frames that may be nested while a file is loaded."""


class Budget(NamedTuple):
    """What one call may use."""

    turns: int
    """Entries of functions, and turns of loops and comprehensions."""
    tired_turns: int
    """The same after another call of the same file was endless."""
    questions: int
    """Queries of the maze, and cells put into the search and taken out."""
    depth: int
    """Frames that may be nested: one more is a RecursionError."""
    cpu_seconds: float
    wall_seconds: float


class Pace(NamedTuple):
    """How much of its budget a call gets; the rule that both sides of the wire follow."""

    hurry: int = CALM
    tired: bool = False
    stretch: float = 1.0
    """How many times longer the wall seconds are than on an idle machine."""

    def after(self, outcome: str) -> Pace:
        """Return the pace of the calls that follow one with this outcome."""
        hurry = PRESSED if outcome in COSTLY else self.hurry
        return Pace(hurry, self.tired or outcome == ENDLESS, self.stretch)

    def of_call(self, whole: Budget) -> Budget:
        """Return the part of its budget that a call gets."""
        share = SECONDS_SHARES[self.hurry]
        return Budget(
            whole.tired_turns if self.tired else whole.turns,
            whole.tired_turns,
            whole.questions,
            whole.depth,
            max(min(MIN_CPU_SECONDS, whole.cpu_seconds), share * whole.cpu_seconds),
            self.stretch * max(min(MIN_WALL_SECONDS, whole.wall_seconds), share * whole.wall_seconds),
        )
