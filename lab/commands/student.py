"""Loading and calling a student's own code; whatever it does ends in a value or a CommandError."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from traceback import FrameSummary, extract_tb, format_list
from typing import Any, TypeVar

from lab import worker
from lab.commands.errors import CommandError
from lab.exercises import EXERCISES, Exercise

T = TypeVar("T")

_SHOWN_FRAMES = 8


def folder_of(given: str | None, *, named_by: str = "--submission DIR") -> Path:
    """Return the student's folder: the one that was given, or the current one.

    Raises CommandError where it holds none of the six files; ``named_by`` is how the command line of the
    command that asks names a folder.
    """
    folder = Path(given or ".")
    if not folder.is_dir():
        raise CommandError(f"there is no folder {given}")
    if not any((folder / exercise.file).is_file() for exercise in EXERCISES):
        where = f"{given} holds" if given else "the current folder holds"
        advice = "name your folder" if given else f"go to your folder, or name it with {named_by}"
        raise CommandError(f"{where} no exercise (such as {EXERCISES[1].file}): {advice}")
    return folder.resolve()


def load(folder: Path, exercise: Exercise) -> Any:
    """Import the exercise's file and return the class in it."""
    if not (folder / exercise.file).is_file():
        raise CommandError(f"there is no {exercise.file} in {folder}")
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    module = call(folder, lambda: importlib.import_module(exercise.module), what=exercise.file)
    found = getattr(module, exercise.name, None)
    if not isinstance(found, type):
        raise CommandError(f"{exercise.file} defines no class {exercise.name}")
    return found


def call(folder: Path, function: Callable[[], T], *, what: str) -> T:
    """Call the function, which runs the student's code; ``what`` names that code in messages."""
    try:
        return worker.run(function)
    except worker.Interrupted as stopped:
        raise CommandError(f"{what} was stopped with Ctrl-C", before=trace(folder, stopped.trace)) from None
    except CommandError:
        raise
    except BaseException as error:  # noqa: BLE001 - SystemExit and the like are a student's exceptions as well
        raise CommandError(
            f"{what} {reason(error)}", before=trace(folder, extract_tb(error.__traceback__))
        ) from None


def reason(error: BaseException) -> str:
    """Say on one line what an exception of the student's code means."""
    if isinstance(error, NotImplementedError):
        return "is still to be written: it raises NotImplementedError"
    if isinstance(error, SyntaxError):
        return f"cannot be read: {error.msg} ({Path(error.filename or '?').name}, line {error.lineno})"
    if isinstance(error, RecursionError):
        return "called itself too often (RecursionError): does every recursion come to an end?"
    try:
        text = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - a student's __str__ may do anything
        text = ""
    return f"raised {type(error).__name__}" + (f": {text[:300]}" if text else "")


def trace(folder: Path, frames: list[FrameSummary]) -> str:
    """Write the frames that stand in the student's files, as Python does; "" where there are none."""
    own = [frame for frame in frames if is_own(folder, frame)]
    if not own:
        return ""
    named = [
        FrameSummary(
            str(Path(frame.filename).relative_to(folder)), frame.lineno, frame.name, lookup_line=False,
            line=frame.line,
        )
        for frame in own[-_SHOWN_FRAMES:]
    ]  # fmt: skip
    left_out = len(own) - len(named)
    head = "Traceback (your files only, most recent call last):\n"
    note = f"  ... {left_out} earlier lines left out ...\n" if left_out else ""
    return head + note + "".join(format_list(named)).rstrip("\n")


def is_own(folder: Path, frame: FrameSummary) -> bool:
    """Tell whether the frame stands in one of the student's files (the public tests are none)."""
    path = Path(frame.filename)
    return path.is_relative_to(folder) and "tests" not in path.relative_to(folder).parts
