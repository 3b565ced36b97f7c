"""A child that looks as a student's own Python does: its streams, builtins, and where it imports from."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from io import BufferedWriter, FileIO, TextIOWrapper
from random import seed as seed_global_random
from typing import Any

from .files import Run, install
from .job import ChildJob


class Output:
    """How much a call may still print; what goes beyond is dropped, and ``note`` is called."""

    def __init__(self, most: int, note: Callable[[], None]) -> None:
        self._most = self.left = most
        self.note = note

    def begin(self) -> None:
        """Begin anew, with another call."""
        self.left = self._most


class _Bounded(FileIO):
    """A descriptor to which no more is written than the output has left."""

    def __init__(self, descriptor: int, output: Output) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._output = output

    def write(self, data: Any) -> int:
        """Write what there is room for, and tell of all of it that it was written."""
        output, size = self._output, len(data)
        if size > output.left:
            output.note()
            data = data[: output.left]
        output.left -= len(data)
        return size if not data else super().write(data) + size - len(data)


def furnish(job: ChildJob, output: Output, run: Run) -> None:
    """Give the process what a student expects of it."""
    sys.argv = [""]
    streams = {
        "stdin": open(0, encoding="utf-8", closefd=False),  # noqa: SIM115
        "stdout": _writer(1, output),
        "stderr": _writer(2, output),
    }
    for name, stream in streams.items():
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    for name in ("exit", "quit"):  # the site module has them, and is not loaded
        setattr(builtins, name, sys.exit)
    install(job.files, job.codes, job.box_folder, run)
    seed_global_random(0)


def _writer(descriptor: int, output: Output) -> Any:
    stream = BufferedWriter(_Bounded(descriptor, output))
    return TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", line_buffering=True)


def flush() -> None:
    """Write out what was printed so far."""
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except BaseException:  # noqa: BLE001, S112 - a stream of the student's own
            continue
