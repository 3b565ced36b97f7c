"""What is shown and what is hidden of a submission are graded in two phases, which a batch keeps apart."""

from __future__ import annotations

from typing import Protocol


class Gate(Protocol):
    """Lets a submission into a phase when no other one is in the other phase.

    Two boxes on one machine can tell each other something, however well they are closed: by how busy
    they keep the processors and their caches. So no box whose results a student sees may run beside
    one that holds hidden mazes.
    """

    def show(self) -> None:
        """Return when no box holds hidden mazes."""

    def step_aside(self) -> None:
        """Return when no box holds hidden mazes; called in the shown phase, between two rounds of calls."""

    def hide(self) -> None:
        """Go on to the hidden phase: return when no box is in the shown phase."""

    def leave(self) -> None:
        """Leave all phases: the box is closed."""


class OpenGate:
    """For one who grades a single submission: there is nobody to wait for."""

    def show(self) -> None:
        """Return at once."""

    def step_aside(self) -> None:
        """Return at once."""

    def hide(self) -> None:
        """Return at once."""

    def leave(self) -> None:
        """Do nothing."""
