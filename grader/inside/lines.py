"""Which lines of the target's file a call ran."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any


class Lines:
    """Notes the lines of one file while it is entered; any other code runs as fast as ever."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.seen: set[int] = set()

    def __enter__(self) -> None:
        """Note lines from now on, and forget those of an earlier call."""
        self.seen = set()
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
            self.seen.add(frame.f_lineno)
        return self._note
