"""Loading and calling a student's own code; whatever it does ends in a value or a CommandError."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from traceback import FrameSummary, extract_tb, format_list
from types import ModuleType
from typing import Any, TypeVar

from lab import worker
from lab.commands.errors import CommandError
from lab.exercises import BY_NAME, EXERCISES, Exercise

T = TypeVar("T")

_COUNTS = re.compile(r"takes (\d+) positional arguments? but (\d+) were given")

MOST_SECONDS = 60.0
"""A call of the student's code may take 60 seconds."""
_SHOWN_FRAMES = 8


def folder_of(given: str | None, *, named_by: str = "--submission DIR") -> Path:
    """Return the student's folder: the one that was given, or the current one.

    Raises CommandError where it holds none of the files; ``named_by`` is how the command line of the
    command that asks names a folder.
    """
    folder = Path(given or ".")
    if not folder.is_dir():
        raise CommandError(f"there is no folder {given}")
    if not any((folder / exercise.file).is_file() for exercise in EXERCISES):
        where = f"{given} holds" if given else "the current folder holds"
        advice = "name your folder" if given else f"go to your folder, or name it with {named_by}"
        raise CommandError(f"{where} no exercise (such as {EXERCISES[:2][-1].file}): {advice}")
    return folder.resolve()


def exercise_named(name: str) -> Exercise:
    """The exercise that asks for a class of this name. Raises CommandError where the course has none."""
    if name not in BY_NAME:
        raise CommandError(f"this course has no exercise {name}")
    return BY_NAME[name]


def load(folder: Path, exercise: Exercise) -> Any:
    """Import the exercise's file and return the class in it."""
    if not (folder / exercise.file).is_file():
        raise CommandError(f"there is no {exercise.file} in {folder}")
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    module = call(folder, lambda: importlib.import_module(exercise.module), what=exercise.file)
    if (wrong := misnamed(module, exercise)) is not None:
        raise CommandError(wrong)
    return getattr(module, exercise.name)


def misnamed(module: ModuleType, exercise: Exercise) -> str | None:
    """Say which name an exercise lacks in its module, and which one there was meant for it."""
    found = getattr(module, exercise.name, None)
    if not callable(found):
        own = [name for name, value in vars(module).items() if isinstance(value, type) and name[0] != "_"]
        own = [name for name in own if getattr(module, name).__module__ == module.__name__]
        return f"{exercise.file} defines no class {exercise.name}{_instead(exercise.name, own)}"
    method = exercise.method
    if not isinstance(found, type):
        return None
    if callable(getattr(found, method, None)) and not getattr(found, "__abstractmethods__", None):
        return None
    own = [name for name, value in vars(found).items() if callable(value)]
    return f"the class {exercise.name} in {exercise.file} has no method {method}{_instead(method, own)}"


def _instead(name: str, found: list[str]) -> str:
    """The name that is close to the one that is missing, whatever its case."""
    lower = {each.casefold(): each for each in found}
    close = get_close_matches(name.casefold(), lower, n=1, cutoff=0.6)
    return f", but {lower[close[0]]}: is {name} meant?" if close else ""


def forget(folder: Path) -> None:
    """Take the student's modules out of Python's memory: the next import begins anew."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and _is_own(folder, Path(file)):
            del sys.modules[name]


def call(folder: Path, function: Callable[[], T], *, what: str) -> T:
    """Call the function, which runs the student's code; ``what`` names that code in messages."""
    try:
        return worker.run(function, seconds=MOST_SECONDS)
    except worker.TookTooLong as stopped:
        message = f"{what} did not come to an end within {MOST_SECONDS:g} s; it was stopped"
        raise CommandError(message, before=trace(folder, stopped.trace)) from None
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
    counts = _COUNTS.search(str(error)) if type(error) is TypeError else None
    if counts is not None and int(counts[2]) == int(counts[1]) + 1:
        return f"raised TypeError: {error} (is self missing among its parameters?)"
    if isinstance(error, MemoryError):
        return "took more memory than it may (MemoryError): does what it keeps grow without end?"
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
    return _is_own(folder, Path(frame.filename))


def _is_own(folder: Path, path: Path) -> bool:
    return path.is_relative_to(folder) and "tests" not in path.relative_to(folder).parts
