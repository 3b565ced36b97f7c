"""A command's standard streams and encoding."""

from __future__ import annotations

import contextlib
import io
import locale
import os
import sys
from typing import Any, Final

OUTPUT: Final = "the standard output"
"""Errors of the standard output carry this as their file name."""


def restart_in_utf8() -> None:
    """Restart the process in Python's UTF-8 mode (the default from Python 3.15 on) if it is off.

    In the encoding of an old locale, some file names could not be written, or would differ between the tables
    of marks and the disk. Output stays in the encoding of the terminal.
    """
    if sys.getfilesystemencoding() != "utf-8" and sys.executable:
        os.environ.setdefault("PYTHONIOENCODING", locale.getencoding())
        os.environ["PYTHONUTF8"] = "1"  # for child processes
        again = [sys.executable, "-X", "utf8", *sys.orig_argv[1:]]
        os.execv(sys.executable, again)  # noqa: S606 - the command itself


def prepare_streams() -> None:
    """Open missing standard streams, and make the output able to print any name."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:  # if it is closed, the next opened file would take its number
            nothing = open(os.devnull, "w" if number else "r", encoding="utf-8")  # noqa: PTH123, SIM115
            os.set_inheritable(nothing.fileno(), True)
            setattr(sys, f"__{name}__", nothing)
            setattr(sys, name, nothing)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if type(sys.stdout) is io.TextIOWrapper:
        sys.stdout = _with_name(sys.stdout)


class _Output(io.FileIO):
    """The standard output, naming itself in its errors, so that they differ from those of other files."""

    def write(self, data: Any, /) -> int:
        """Write bytes, and return how many; name the standard output in errors."""
        try:
            return super().write(data)
        except OSError as error:
            error.filename = OUTPUT
            raise


def _with_name(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """Rebuild the stream on top of an _Output, with the same buffering."""
    raw = _Output(stream.fileno(), "w", closefd=False)
    buffer = raw if stream.write_through else io.BufferedWriter(raw)
    return io.TextIOWrapper(
        buffer,
        *(stream.encoding, stream.errors),
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def discard_unprinted() -> None:
    """Discard output that cannot be printed, or Python would try again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError, ValueError):  # in a test there may be no file behind it
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
