"""Explains an exception of a student's code on one line, and suggests what might have been meant."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType, TracebackType

import lab
from lab.came import recognise
from lab.commands.slips import format_line, meant
from lab.exercises import EXERCISES
from lab.leftovers import without_star
from lab.python_versions import Newer, newer_name, newer_syntax, why_not_there

_COUNTS = re.compile(r"takes (\d+) positional arguments? but (\d+) were given")
_VECTOR = re.compile(r"Vector\(row=(-?\d+), column=(-?\d+)\)")
_IMPORTED = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
_BORDER = re.compile(r"the (north|east|south|west) side of \((\d+), (\d+)\) is the outer border, .*")
_USEFUL = ("collections", "heapq", "random", "queue", "itertools", "functools", "math", "typing")
"""Modules of Python in which a name is looked for that is not defined."""


def reason(error: BaseException) -> str:
    """Explain on one line an exception of the student's code."""
    if isinstance(error, NotImplementedError):
        return "is still to be written: it raises NotImplementedError"
    if isinstance(error, SyntaxError):
        return f"cannot be read: {_syntax(error)}"
    if isinstance(error, MemoryError):
        return "took more memory than it may (MemoryError): does what it keeps grow without end?"
    if isinstance(error, RecursionError):
        return "called itself too often (RecursionError): does every recursion come to an end?"
    text = _text(error)
    if isinstance(error, EOFError) or "reading from stdin" in text:  # so pytest puts it
        return "asks for input(): nobody answers while it is tested or graded"
    hint = next(_hints(error, text), "")
    return f"raised {type(error).__name__}" + (f": {text}" if text else "") + (f" ({hint})" if hint else "")


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
    return "; ".join([told, *_newer(newer_syntax(error.text or ""))])


def _newer(found: Newer | None) -> Iterator[str]:
    """Yield what came with a newer Python than this one."""
    if found is not None and found.since > sys.version_info[:2]:
        here = "{}.{}".format(*sys.version_info)
        yield f"{found.what} came with Python {found.version}, and this is {here}"


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
    return _VECTOR.sub(r"(\1, \2)", text)[:300] + without_star(error)


def _hints(error: BaseException, text: str) -> Iterator[str]:
    """Yield suggestions of what was meant."""
    counts = _COUNTS.search(text) if type(error) is TypeError else None
    if counts is not None and int(counts[2]) == int(counts[1]) + 1:
        yield "is self missing among its parameters?"
    if isinstance(error, AttributeError) and error.name:
        yield from _newer(newer_name(getattr(error.obj, "__name__", ""), error.name))
        yield from meant(error.name, [name for name in dir(error.obj) if name[0] != "_"])
        yield from _own_file_named_like(error.obj)
    elif isinstance(error, NameError) and error.name:
        yield from _name_meant(error.name, error.__traceback__)
    elif isinstance(error, ModuleNotFoundError) and error.name:
        whole = {each.stem: each.module for each in EXERCISES}.get(error.name, error.name)
        if whole != error.name:
            yield f"is {whole} meant?"
            return
        yield from _newer(newer_name(error.name))
        known = {*sys.stdlib_module_names, "lab", "solvers", "generators"}
        yield from meant(error.name, known, cutoff=0.8)
        yield "only Python's standard library and lab are there"
    elif found := _IMPORTED.search(text):
        yield from _newer(newer_name(found[2], found[1]))
        yield from meant(found[1], dir(sys.modules.get(found[2])))
        yield from _own_file_named_like(sys.modules.get(found[2]))
    elif found := _BORDER.fullmatch(text):
        yield _no_cell(found[1], int(found[2]), int(found[3]))


def _own_file_named_like(module: object) -> Iterator[str]:
    """Yield a note that Python's module was imported, if the student has a file of the same name."""
    name = getattr(module, "__name__", "") if isinstance(module, ModuleType) else ""
    if name in sys.stdlib_module_names:
        files = [Path(path, f"{name}.py") for path in sys.path]
        if any(file.is_file() and str(file) != getattr(module, "__file__", None) for file in files):
            yield f"{name} is Python's own module: rename your {name}.py"


def _no_cell(side: str, row: int, column: int) -> str:
    """Say why no wall can be changed there; next to the last row or column, say that this is the last one."""
    count, lines = (column, "columns") if side in ("east", "west") else (row, "rows")
    between = "1 wall" if count == 2 else f"{count - 1} walls"
    walls = f"{count} {lines} have {between} between them, and " if count > 1 else ""
    return f"no cell lies {side} of it: {walls}moves_at names the moves that stay inside"


def _bound_too_late(name: str, trace: TracebackType | None) -> Iterator[str]:
    """Yield that a name is defined further down, or is imported for type checkers only."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return
    code, quoted = trace.tb_frame.f_code, "in an annotation it may stand in quotes"
    with suppress(OSError, ValueError, SyntaxError):
        tree = ast.parse(Path(code.co_filename).read_bytes())
        is_function = bool(code.co_flags & inspect.CO_OPTIMIZED)
        early = why_not_there(tree, name, trace.tb_lineno, at_import=not is_function)
        if early is not None and early.below:
            yield f"{name} is defined further down, in line {early.below}: {quoted}"
        elif early is not None:
            yield f"{name} is imported for type checkers only: {quoted}"


def _name_meant(name: str, trace: TracebackType | None) -> Iterator[str]:
    """Yield where the name is bound too late, the import that is missing, or a similar name that was known
    in that line."""
    yield from _bound_too_late(name, trace)
    if name in lab.__all__:
        yield f"from lab import {name} is missing"
    if name in sys.stdlib_module_names:
        yield f"import {name} is missing"
    yield from _newer(newer_name("builtins", name))
    for module in _USEFUL:
        if hasattr(importlib.import_module(module), name):
            yield f"from {module} import {name} is missing"
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is not None:
        frame = trace.tb_frame
        if hasattr(frame.f_locals.get("self"), name):
            yield f"is self.{name} meant?"
        yield from meant(name, {**vars(builtins), **frame.f_globals, **frame.f_locals})
