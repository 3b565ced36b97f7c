"""What intake tells people: plain sentences, bounded, with nothing in them that a terminal obeys."""

from __future__ import annotations

from grader.text import shown

MOST = 20
LONGEST = 240


class Notes:
    """Collects sentences; says how many more there would have been."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._more = 0

    def add(self, text: str) -> None:
        """Note something, once."""
        line = shown(text, LONGEST)
        if line in self._lines:
            return
        if len(self._lines) < MOST:
            self._lines.append(line)
        else:
            self._more += 1

    def drop(self, beginning: str) -> None:
        """Take back what begins so."""
        self._lines = [line for line in self._lines if not line.startswith(beginning)]

    def lines(self) -> tuple[str, ...]:
        """The sentences, in the order they came."""
        return (*self._lines, f"And {self._more} more of the kind.") if self._more else tuple(self._lines)
