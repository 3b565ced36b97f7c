"""Which lines of the target's file a call ran, and of a solver's which ones from visit to visit."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import FrameType
from typing import Any, Final

from lab.watch import STREAMS, Watch

from .values import Plain, positions_of

MOST_RAN: Final = 50_000
"""The first 50,000 lines that a call runs are noted one by one."""


class Lines:
    """Notes the lines of one file while it is entered; any other code runs as fast as ever."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.seen: set[int] = set()
        self.ran: list[int] = []
        """One after the other, as far as they are noted so."""

    def __enter__(self) -> None:
        """Note lines from now on, and forget those of an earlier call."""
        self.seen, self.ran = set(), []
        sys.settrace(self._enter)

    def __exit__(self, *_: object) -> None:
        """Stop noting lines."""
        sys.settrace(None)

    def _enter(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if event != "call" or frame.f_code.co_filename != self._path:
            return None
        return self._note

    def _note(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "line":
            number = frame.f_lineno
            self.seen.add(number)
            if len(self.ran) < MOST_RAN:
                self.ran.append(number)
        return self._note


class Moments:
    """How many lines had run when each position of a run was seen: between two of them stand the lines
    that ran from one to the next.

    Every position is noted right after the question of its own, so what was noted at the last question
    before is its moment.
    """

    def __init__(self, lines: Lines, watch: Watch) -> None:
        self._lines, self._watch, self._question = lines, watch, watch.question
        self._noted: dict[str, list[int]] = {name: [] for name in STREAMS}
        watch.question = self._note

    def _note(self) -> None:
        self._question()
        ran = len(self._lines.ran)
        for name, noted in self._noted.items():
            del noted[len(getattr(self._watch, name)) :]
            noted.append(ran)

    def told(self, streams: Plain, walk: int) -> Plain:
        """Return the lines from each position of the streams to the next, the line of its question first.

        Return the same for the first positions, repeats included, of the most telling stream.
        """
        lines: Plain = {}
        for name in (name for name in STREAMS if streams[name]):
            seen = positions_of(getattr(self._watch, name))
            first: dict[tuple[int, int], int] = {}
            for place, cell in enumerate(seen):
                first.setdefault(cell, place)
            lines.setdefault("walk", self._between(name, range(min(len(seen), walk + 1)))[:walk])
            lines[name] = self._between(name, list(first.values()))[: len(streams[name])]
        return lines

    def _between(self, name: str, places: Sequence[int]) -> list[list[int]]:
        """Return the lines from each of these places of a stream to the next, from the last to the end."""
        ran, noted = self._lines.ran, self._noted[name]
        begins = [max(noted[place] - 1, 0) if place < len(noted) else MOST_RAN for place in places]
        ends = [*begins[1:], len(ran)]
        return [
            list(dict.fromkeys(ran[begin : max(end, begin + 1)])) if begin < MOST_RAN - 1 else []
            for begin, end in zip(begins, ends, strict=True)
        ]
