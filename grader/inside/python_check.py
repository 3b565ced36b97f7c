"""A child that looks as a student's own Python does: its streams, builtins, and where it imports from."""

from __future__ import annotations

import builtins
import sys
from random import seed as seed_global_random
from typing import Any

from .files import install
from .job import ChildJob


def furnish(job: ChildJob) -> None:
    """Give the process what a student expects of it."""
    sys.argv = [""]
    streams = {"stdin": open(0, encoding="utf-8", closefd=False), "stdout": _writer(1), "stderr": _writer(2)}  # noqa: SIM115
    for name, stream in streams.items():
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    for name in ("exit", "quit"):  # the site module has them, and is not loaded
        setattr(builtins, name, sys.exit)
    install(job.files, job.codes, job.box_folder)
    seed_global_random(0)


def _writer(descriptor: int) -> Any:
    return open(descriptor, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)


def flush() -> None:
    """Write out what was printed so far."""
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except BaseException:  # noqa: BLE001, S112 - a stream of the student's own
            continue
