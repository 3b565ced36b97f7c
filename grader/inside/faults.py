"""An exception that left the student's code, as plain data: its class, its message, its lines."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import FrameType, TracebackType
from typing import Any, Final

from lab.leftovers import without_star
from lab.steps import without_luck
from lab.suggestion import suggestion

from .files import ROOT, Loader
from .values import class_name, clean

MAX_MESSAGE: Final = 500
"""At most 500 characters of an exception's message are sent."""
MAX_LINE: Final = 2**31 - 1
"""No code object of Python has a later line; an exception may claim any."""
_OUTERMOST: Final = 6
_INNERMOST: Final = 14
"""Of a longer trace, the 6 outermost and the 14 innermost frames are sent."""


def current_fault(stage: str, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Describe the exception that is being handled; its ``str`` is the student's code, too."""
    _, error, trace = sys.exc_info()
    frames = _frames(trace, files)
    if isinstance(error, SyntaxError):
        frames += _place(error, files)
    if len(frames) > _OUTERMOST + _INNERMOST:
        frames = frames[:_OUTERMOST] + frames[-_INNERMOST:]
    return {
        "kind": class_name(error),
        "message": _message(error),
        "stage": stage,
        "trace": [_told(frame, files) for frame in frames],
    }


def fault_at(frame: FrameType | None, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Describe where a call waits for ever, as the trace of an exception would."""
    frames: list[_Frame] = []
    while frame is not None:
        path = frame.f_code.co_filename.removeprefix(f"{ROOT}/")
        if path in files:
            frames.insert(0, (path, frame.f_lineno or 0, frame.f_code.co_name))
        frame = frame.f_back
    if len(frames) > _OUTERMOST + _INNERMOST:
        frames = frames[:_OUTERMOST] + frames[-_INNERMOST:]
    return {**fault("endless", "", "call"), "trace": [_told(each, files) for each in frames]}


def fault(kind: str, message: str, stage: str) -> dict[str, Any]:
    """Describe a failure that was no exception."""
    return {"kind": kind, "message": message, "stage": stage, "trace": []}


_Frame = tuple[str, int, str]


def _message(error: BaseException | None) -> str:
    try:
        text = _of_syntax(error) if isinstance(error, SyntaxError) else str(error)
    except BaseException:  # noqa: BLE001 - a student's __str__ may do anything
        return ""
    if type(text) is not str:
        return ""
    text = _without_place(error, without_luck(error, text)) + without_star(error) + suggestion(error)
    return clean(text, MAX_MESSAGE)


def _of_syntax(error: SyntaxError) -> str:
    """Return the message without its place, and with Python's version: a newer one may accept the code."""
    if type(error) is not SyntaxError or error.text is None or type(error.msg) is not str:
        return error.msg
    return f"{error.msg} (Python {sys.version_info.major}.{sys.version_info.minor})"


def _without_place(error: BaseException | None, text: str) -> str:
    """Return the text without the file of a library in which a name was looked up.

    That file lies elsewhere on each machine.
    """
    if type(error) is not ImportError or type(error.path) is not str or error.path.startswith(f"{ROOT}/"):
        return text
    return text.removesuffix(f" ({error.path})")


def _frames(trace: TracebackType | None, files: Mapping[str, bytes]) -> list[_Frame]:
    """Return the frames in the submission's files, outermost first."""
    found = []
    while trace is not None:
        code = trace.tb_frame.f_code
        path = code.co_filename.removeprefix(f"{ROOT}/")
        if path in files:
            found.append((path, trace.tb_lineno or 0, code.co_name))
        trace = trace.tb_next
    return found


def _place(error: SyntaxError, files: Mapping[str, bytes]) -> list[_Frame]:
    """Return the line that could not be read, as a frame, if it is in a file of the submission."""
    if type(error.filename) is not str or type(error.lineno) is not int:
        return []
    path = error.filename.removeprefix(f"{ROOT}/")
    return [(path, error.lineno, "<module>")] if path in files else []


def _told(frame: _Frame, files: Mapping[str, bytes]) -> dict[str, Any]:
    path, line, function = frame
    return {
        "file": path,
        "line": min(max(line, 0), MAX_LINE),
        "function": clean(function, 80),
        "code": _code(files[path], line),
    }


def _code(content: bytes, line: int) -> str:
    """Return the text of a line; "" where there is none."""
    try:
        lines = Loader("", content).get_source().splitlines()
    except ImportError:
        lines = content.decode("utf-8", "replace").splitlines()
    return clean(lines[line - 1].strip(), 160) if 0 < line <= len(lines) else ""
