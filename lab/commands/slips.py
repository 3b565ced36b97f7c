"""Find slips of the pen in a student's file that is loaded; each with its line and a caret."""

from __future__ import annotations

import ast
import inspect
import tokenize
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

from lab.came import HEAD_BYTES, KINDS, kind_of
from lab.exercises import Exercise
from lab.slip_sentences import SENTENCES
from lab.slips import NO_SOURCE, FileHint, FileText, missing_class, missing_method, other_parameters
from lab.way import describe


class Slip(NamedTuple):
    """What is wrong, on one line, and the line of the file with a caret below it; "" if there is none."""

    sentence: str
    place: str = ""


def find_misspelt_name(module: ModuleType, exercise: Exercise) -> Slip | None:
    """Say which name the exercise's module lacks, and which of its names was probably meant, or None."""
    found, source = getattr(module, exercise.name, None), source_of(module.__file__)
    names = {"file": exercise.file, "name": exercise.name}
    if found is None or (exercise.is_function and not callable(found)):
        told = missing_class(source, exercise) or [FileHint("missing_name", names)]
        return _slip(told, source, exercise)
    if not callable(found):
        return _slip([FileHint("no_class", {**names, "value": describe(found)})], source, exercise)
    if not isinstance(found, type) or exercise.is_function:
        return None
    abstract = getattr(found, "__abstractmethods__", ())
    missing = [
        name
        for name in exercise.methods
        if name in abstract
        or not (hasattr(found, name) or name in source.members(exercise.name) or _makes(found, name))
    ]
    return _slip(missing_method(source, exercise, missing), source, exercise)


def _makes(found: type[Any], name: str) -> bool:
    """Tell whether an object of the class has the method."""
    for luck in ((), (Random(0),)):
        with suppress(Exception):
            return callable(getattr(found(*luck), name, None))
    return False


def find_wrong_parameters(module: ModuleType, exercise: Exercise) -> Slip | None:
    """Report a method or function with other parameters than it is called with, such as no ``self``."""
    found, source = getattr(module, exercise.name), source_of(module.__file__)
    for name in exercise.methods or (exercise.name,):
        called = found if exercise.is_function else inspect.getattr_static(found, name, None)
        told = other_parameters(source, exercise, name)
        if told and inspect.isfunction(called) and called.__code__.co_firstlineno == told[0].line:
            return _slip(told, source, exercise)
    return None


def find_missing_return(module: ModuleType, exercise: Exercise) -> Slip | None:
    """Say that the exercise's method never returns a value; None if it may."""
    source = source_of(module.__file__)
    method = source.functions(exercise.name).get(exercise.method)
    returns = [node for node in ast.walk(method) if isinstance(node, ast.Return)] if method else []
    if method is None or any(each.value is not None for each in returns):
        return None
    return Slip(f"no line of {method.name} returns it", _place(source, exercise, method.lineno, method.name))


def find_misplaced_file(folder: Path, exercise: Exercise) -> str | None:
    """Report a missing exercise file, and which other file may be meant for it; None if it exists."""
    wanted = folder / exercise.file
    if wanted.is_file():
        return None
    if wanted.is_dir():
        return f"{exercise.file} in {folder} is a folder: expected a file of that name"
    near = (*wanted.parent.glob("*"), *folder.glob("*"), *folder.glob(f"*/{wanted.name}"))
    stems = {path: path.name.casefold().split(".")[0].split(" ")[0] for path in near if path.is_file()}
    found = sorted((path for path in stems if stems[path] == exercise.stem), key=lambda p: p.suffix != ".py")
    if not found:
        return f"there is no {exercise.file} in {folder}"
    kind = kind_of(found[0].name, _head(found[0]))
    what = "" if kind == "python" else f", which is {KINDS[kind].words}"
    other = found[0].relative_to(folder).as_posix()
    return f"there is no {exercise.file} in {folder}, but {other}{what}: is {exercise.file} meant?"


def _head(path: Path) -> bytes:
    """Return the first bytes of a file; none if it cannot be read."""
    with suppress(OSError), path.open("rb") as stream:
        return stream.read(HEAD_BYTES)
    return b""


def format_line(file: str, number: int, line: str, start: int, end: int) -> str:
    """Return a line of a file in Python's style, with carets below the columns from ``start`` to ``end``."""
    code = line.strip()
    indent = len(line) - len(line.lstrip())
    carets = " " * max(start - indent, 0) + "^" * max(end - start, 1)
    return f'  File "{file}", line {number}\n    {code}\n    {carets}'


def source_of(path: str | None) -> FileText:
    """Return a file as text; an empty one if it cannot be read."""
    with suppress(OSError, ValueError, SyntaxError), tokenize.open(str(path)) as stream:
        return FileText.of(stream.read())
    return NO_SOURCE


def sentences(told: Iterable[FileHint]) -> str:
    """Return what is told in English."""
    return " ".join(SENTENCES[each.key].format(**each.values) for each in told)


def _slip(told: Sequence[FileHint], source: FileText, exercise: Exercise) -> Slip | None:
    if not told:
        return None
    name = str(told[0].values.get("found", told[0].values.get("method", "")))
    return Slip(sentences(told), _place(source, exercise, told[0].line, name))


def _place(source: FileText, exercise: Exercise, number: int, name: str) -> str:
    """Return a line of the file, with carets below a name in it; "" for no line."""
    if not number:
        return ""
    line = source.text.splitlines()[number - 1]
    start = line.find(name)
    return format_line(exercise.file, number, line, start, start + len(name))
