"""Where escape codes are understood: in a terminal, and in a console of Windows that takes them."""

from __future__ import annotations

import ctypes
import io
from collections.abc import Iterator
from typing import Any

import pytest

from lab.commands import screen


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Console:
    """Stands in for ``ctypes.windll.kernel32``: whether there is a console, and whether it takes codes."""

    def __init__(self, *, is_there: bool, takes_codes: bool) -> None:
        self.kernel32, self._is_there, self._takes_codes, self.mode = self, is_there, takes_codes, 3

    def GetStdHandle(self, _: int) -> int:
        return 7

    def GetConsoleMode(self, _: int, mode: Any) -> int:
        mode._obj.value = self.mode
        return int(self._is_there)

    def SetConsoleMode(self, _: int, mode: int) -> int:
        self.mode = mode
        return int(self._takes_codes)


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("TERM", raising=False)
    screen._understands_codes.cache_clear()
    yield
    screen._understands_codes.cache_clear()


@pytest.mark.parametrize(
    ("console", "has_colour"),
    [
        (Console(is_there=True, takes_codes=True), True),
        (Console(is_there=True, takes_codes=False), False),
        (Console(is_there=False, takes_codes=True), False),
    ],
)
def test_a_console_of_windows_is_asked(
    console: Console, has_colour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ctypes, "windll", console, raising=False)
    assert screen.has_colour(Terminal()) is has_colour
    assert console.mode == (7 if console._is_there else 3)


def test_everywhere_else() -> None:
    assert screen.has_colour(Terminal())
    assert not screen.has_colour(io.StringIO())
