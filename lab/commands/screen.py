"""What may be written on the screen: colour in a terminal, plain text everywhere else."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path
from typing import TextIO


def is_terminal(stream: TextIO | None = None) -> bool:
    """Tell whether a person looks at the stream (standard output by default)."""
    return (stream or sys.stdout).isatty()


def has_colour(stream: TextIO | None = None) -> bool:
    """Tell whether colour is welcome: in a terminal, unless NO_COLOR is set or it is a dumb one."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, code: str) -> str:
    """Return the text in a colour (an SGR code such as "32"), where colour is welcome."""
    return f"\x1b[{code}m{text}\x1b[0m" if has_colour() else text


GREEN, RED, YELLOW, BOLD = "32", "31", "33", "1"


def browse(page: Path | str) -> None:
    """Open a page in the browser, a file or an address, where a person is there to look at it."""
    if is_terminal():
        webbrowser.open(page if isinstance(page, str) else page.resolve().as_uri())
