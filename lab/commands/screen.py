"""Write to the screen: with colour in a terminal, as plain text elsewhere."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from pathlib import Path
from typing import Final, TextIO

_STANDARD_OUTPUT: Final = -11
_TAKES_CODES: Final = 0x0004
"""ENABLE_VIRTUAL_TERMINAL_PROCESSING of SetConsoleMode: consoles before Windows 10 refuse it."""


def is_terminal(stream: TextIO | None = None) -> bool:
    """Tell whether the stream (by default standard output) is a terminal."""
    return (stream or sys.stdout).isatty()


def has_colour(stream: TextIO | None = None) -> bool:
    """Tell whether to use colour: in a terminal, unless NO_COLOR is set or it cannot show any."""
    is_welcome = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return is_terminal(stream) and is_welcome and _understands_codes()


@cache
def _understands_codes() -> bool:
    """Tell whether the terminal interprets escape codes, which a Windows console does on request."""
    windows = getattr(ctypes, "windll", None)
    if windows is None:
        return True
    handle, mode = windows.kernel32.GetStdHandle(_STANDARD_OUTPUT), ctypes.c_ulong()
    if not windows.kernel32.GetConsoleMode(handle, ctypes.byref(mode)):
        return "TERM" in os.environ  # no console: the terminal of another system
    return bool(windows.kernel32.SetConsoleMode(handle, mode.value | _TAKES_CODES))


def paint(text: str, code: str) -> str:
    """Return the text in a colour (an SGR code such as "32"), if colour is used."""
    return f"\x1b[{code}m{text}\x1b[0m" if has_colour() else text


GREEN, RED, YELLOW, BOLD = "32", "31", "33", "1"


def browse(page: Path | str) -> None:
    """Open a page, a file or an address, in the browser if this runs in a terminal."""
    if is_terminal():
        import webbrowser  # slow to import, and rarely needed

        webbrowser.open(page if isinstance(page, str) else page.resolve().as_uri())
