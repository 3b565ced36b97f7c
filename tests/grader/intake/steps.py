"""Count work instead of timing it: calls of functions, including those in C."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


class TooMuchWorkError(BaseException):
    """More calls than allowed; handlers for damaged files do not catch it."""


@contextmanager
def at_most(calls: int) -> Iterator[None]:
    """Stop what runs in this thread once it makes more calls than that."""
    left = calls

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal left
        left -= event in ("call", "c_call")
        if left < 0:
            raise TooMuchWorkError(f"more than {calls} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)
