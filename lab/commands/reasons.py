"""Explains an exception of a student's code on one line, and suggests what might have been meant."""

from __future__ import annotations

import re
import sys
import sysconfig
from contextlib import suppress
from inspect import CO_OPTIMIZED
from linecache import getline
from pathlib import Path
from traceback import walk_tb
from types import TracebackType

from lab.came import recognise
from lab.commands.slips import format_line, sentences, source_of
from lab.exceptions import PythonError, explain
from lab.leftovers import without_star
from lab.slips import NO_SOURCE
from lab.steps import without_luck
from lab.suggestion import suggestion

_VECTOR = re.compile(r"Vector\(row=(-?\d+), column=(-?\d+)\)")


def reason(error: BaseException) -> str:
    """Explain on one line an exception of the student's code."""
    if isinstance(error, NotImplementedError):
        return "is still to be written: it raises NotImplementedError"
    if isinstance(error, SyntaxError):
        return f"cannot be read: {_syntax(error)}"
    if isinstance(error, MemoryError):
        return "took more memory than it may (MemoryError): does what it keeps grow without end?"
    text = _text(error)
    if isinstance(error, EOFError) or "reading from stdin" in text:  # so pytest puts it
        return "asks for input(): nobody answers while it is tested or graded"
    told = f"raised {type(error).__name__}" + (f": {text}" if text else "")
    return _with(told, PythonError(type(error).__name__, text), error.__traceback__)


def _with(told: str, raised: PythonError, trace: TracebackType | None = None) -> str:
    """Add what an exception means to what Python says of it."""
    raised, source = raised._replace(python=sys.version_info[:2], own=_own_files()), NO_SOURCE
    for frame, line in [*walk_tb(trace)][-1:]:
        source, is_function = source_of(frame.f_code.co_filename), frame.f_code.co_flags & CO_OPTIMIZED
        code = getline(frame.f_code.co_filename, line)
        raised = raised._replace(line=line, code=code, at_import=not is_function)
    meaning = sentences(explain(raised, source))
    return f"{told}. {meaning}" if meaning else told


def _own_files() -> set[str]:
    """Return the names of the files that Python may import and that are not its own."""
    folders = (Path(path) for path in sys.path if path != sysconfig.get_path("stdlib"))
    return {file.stem for folder in folders for file in folder.glob("*.py")}


def _syntax(error: SyntaxError) -> str:
    """Explain a syntax error, with its place; or say what came in place of Python."""
    path = Path(error.filename or "?")
    came = None
    with suppress(OSError):
        came = recognise(path.read_bytes())
    if came is not None:
        return f"{came.sentence} ({path.name})"
    if "null bytes" in (error.msg or ""):  # without the name of the file
        return "it holds null bytes: save it as UTF-8 (PowerShell's > writes UTF-16), or anew"
    told = (error.msg or "") + (f" ({path.name}, line {error.lineno})" if error.lineno else "")
    return _with(told, PythonError(type(error).__name__, told, code=(error.text or "").strip()))


def place(error: BaseException, folder: Path) -> str:
    """Return the line with the syntax error, with a caret below it; "" for other exceptions."""
    if not isinstance(error, SyntaxError) or not error.text or not error.lineno or not error.filename:
        return ""
    path = Path(error.filename)
    name = path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name
    start = (error.offset or 1) - 1
    end = (error.end_offset or 0) - 1 if error.end_lineno == error.lineno else 0
    return format_line(name, error.lineno, error.text.rstrip("\n"), start, end)


def _text(error: BaseException) -> str:
    """Return the exception's message for people: cells in brackets."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - a student's __str__ may do anything
        return ""
    if isinstance(error, ImportError):
        text = text.split(" (")[0]  # what follows is a path
    text = _VECTOR.sub(r"(\1, \2)", without_luck(error, text))[:300]
    return text + without_star(error) + suggestion(error)
