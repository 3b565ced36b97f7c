"""One call of the student's code: made, and told.

It can be asked for its value at any moment, by another thread too: that is what a call
that was cut off had come to.
"""

from __future__ import annotations

from typing import Any

from .values import Plain

Arguments = dict[str, Any]


class RunningCall:
    """One call: made with ``run``, told by ``value``."""

    stage = "construct"

    def run(self, target: Any, arguments: Arguments) -> None:
        """Do it; what the student's code raises is passed on."""
        raise NotImplementedError

    def value(self) -> Plain | None:
        """Return what is known by now, as plain data."""
        raise NotImplementedError

    def drop_repeats(self) -> None:
        """Let go of what was noted twice, where much was noted."""
