"""One call of the student's code: made, and reported.

It can be asked for its value at any moment, by another thread too: that is what a call
that was cut off had come to.
"""

from __future__ import annotations

from typing import Any

from .values import Plain

Arguments = dict[str, Any]


class RunningCall:
    """One call: made with ``run``, reported by ``value``."""

    stage = "construct"

    def run(self, target: Any, arguments: Arguments) -> None:
        """Make the call; pass on what the student's code raises."""
        raise NotImplementedError

    def value(self) -> Plain | None:
        """Return what is known by now, as plain data."""
        raise NotImplementedError

    def drop_repeats(self) -> None:
        """Drop what was noted more than once, where much was noted."""
