"""Notes which sources of luck the lines of a recorded call draw from."""

from __future__ import annotations

import random
import sys
from types import FrameType, TracebackType
from typing import Any, Final, Self, cast

from lab.steps import TracedCall

_DRAWS: Final = ("random", "getrandbits", "urandom")
"""What every draw ends in, of Python's own functions written in C."""
_THREADS: Final = ("start_new_thread", "start_joinable_thread")
GIVEN, MODULE, OTHER, SYSTEM, NOTHING = "self.rng", "random", "Random", "os.urandom", "nothing"
"""The given source, the module's, one of the submission's own, the system's; and that nothing was drawn from
the given one."""


class Luck:
    """Notes in a list, while it is entered, each source that is drawn from with its line."""

    def __init__(self, given: random.Random) -> None:
        self.drawn: list[tuple[str, int]] = []
        self._given, self._is_drawn = given, False

    def __enter__(self) -> Self:
        sys.setprofile(self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if sys.getprofile() == self._note and not self._is_drawn:
            self.drawn.append((NOTHING, 0))
        sys.setprofile(None)

    def _note(self, frame: FrameType | None, event: str, function: Any) -> None:
        name = function.__name__ if event == "c_call" else ""
        if name in _THREADS:  # nothing tells what they draw from
            self._is_drawn = True
        if name not in _DRAWS:
            return
        source = SYSTEM if name == "urandom" else _source(function.__self__, self._given)
        self._is_drawn = self._is_drawn or source == GIVEN
        while frame is not None and not isinstance(frame.f_trace, TracedCall):
            frame = frame.f_back
        if frame is not None:
            call = cast("TracedCall", frame.f_trace)
            drawn = source, call.begins + call.statement
            if drawn not in self.drawn:
                self.drawn.append(drawn)


def _source(drawn: object, given: random.Random) -> str:
    return GIVEN if drawn is given else MODULE if drawn is random._inst else OTHER
