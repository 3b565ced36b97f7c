"""Find near misses in a student's file: names, ``self``, indentation; each with its line and a caret."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

from lab.came import HEAD_BYTES, KINDS, kind_of, odd_letter
from lab.exercises import Exercise

_Named = ast.ClassDef | ast.FunctionDef


class Slip(NamedTuple):
    """What is wrong, on one line, and the line of the file with a caret below it; "" if there is none."""

    sentence: str
    place: str = ""


def find_misspelt_name(module: ModuleType, exercise: Exercise) -> Slip | None:
    """Say which name the exercise's module lacks, and which of its names was probably meant, or None."""
    found = getattr(module, exercise.name, None)
    if not callable(found):
        return (_no_function if exercise.is_function else _no_class)(module, exercise)
    if not isinstance(found, type) or exercise.is_function:
        return None
    lacks = [name for name in exercise.methods if not _has(found, name)]
    if lacks or getattr(found, "__abstractmethods__", None):
        return _no_method(module, found, exercise, lacks[0] if lacks else exercise.method)
    return None


def _has(found: type[Any], name: str) -> bool:
    """Tell whether the class, or an object of it, has the method."""
    if callable(getattr(found, name, None)):
        return True
    for luck in ((), (Random(0),)):
        with suppress(Exception):
            return callable(getattr(found(*luck), name, None))
    return False


def find_wrong_parameters(module: ModuleType, exercise: Exercise) -> Slip | None:
    """Report a method or function with other parameters than it is called with, such as no ``self``."""
    found = getattr(module, exercise.name)
    if exercise.is_function:
        return _parameters(module, exercise, found, exercise.name, exercise.parameters)
    for name, taken in exercise.methods.items():
        method = inspect.getattr_static(found, name, None)
        slip = _parameters(module, exercise, method, name, ("self", *taken))
        if slip is not None:
            return slip
    return None


def _parameters(
    module: ModuleType, exercise: Exercise, found: Any, name: str, given: tuple[str, ...]
) -> Slip | None:
    if not inspect.isfunction(found) or hasattr(found, "__wrapped__"):
        return None
    signature = inspect.signature(found)
    if _takes(signature, len(given)):
        return None
    names = list(signature.parameters)
    expected = f"expected {name}({', '.join(given)}), got {name}({', '.join(names)})"
    sentence = f"{name} in {exercise.file} has other parameters: {expected}"
    if given[:1] == ("self",) and "self" not in names and _takes(signature, len(given) - 1):
        sentence = f"{name} in {exercise.file} lacks self: {expected}"
    return Slip(sentence, _place(module, exercise, name))


def find_missing_return(module: ModuleType, exercise: Exercise) -> Slip | None:
    """Say that the exercise's method never returns a value; None if it may."""
    try:
        nodes = [*_defined(ast.parse(_text(module)), exercise.method)]
    except (OSError, ValueError, SyntaxError):
        return None
    lines = [line for node in nodes for line in ast.walk(node)]
    if not nodes or any(isinstance(line, ast.Return) and line.value is not None for line in lines):
        return None
    return Slip(f"no line of {exercise.method} returns it", _place(module, exercise, exercise.method))


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


def meant(name: str, known: Iterable[str], *, cutoff: float = 0.6) -> Iterator[str]:
    """Yield the question whether the most similar known name is meant, and the letter that is another."""
    close = nearest_name(name, known, cutoff=cutoff)
    if close is not None:
        yield f"{_odd(name, close)}is {close} meant?"


def _odd(found: str, wanted: str) -> str:
    """Say which letter of a name only looks like that of another; "" if none does."""
    odd = odd_letter(found, wanted)
    return f"letter {odd[0]} of {found} is {odd[1]}: " if odd is not None else ""


def nearest_name(name: str, known: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Return the known name that looks the same, or is most similar, ignoring case; None if none is."""
    known = list(known)
    alike = (each for each in known if odd_letter(name, each) or odd_letter(each, name))
    if (same := next(alike, None)) is not None:
        return same
    lower = {each.casefold(): each for each in known}
    close = get_close_matches(name.casefold(), lower, n=1, cutoff=cutoff)
    return lower[close[0]] if close else None


def format_line(file: str, number: int, line: str, start: int, end: int) -> str:
    """Return a line of a file in Python's style, with carets below the columns from ``start`` to ``end``."""
    code = line.strip()
    indent = len(line) - len(line.lstrip())
    carets = " " * max(start - indent, 0) + "^" * max(end - start, 1)
    return f'  File "{file}", line {number}\n    {code}\n    {carets}'


def _no_class(module: ModuleType, exercise: Exercise) -> Slip:
    own = [name for name, value in vars(module).items() if isinstance(value, type) and name[0] != "_"]
    own = [name for name in own if getattr(module, name).__module__ == module.__name__]
    sentence = f"{exercise.file} defines no class {exercise.name}"
    close = nearest_name(exercise.name, own) or (own[0] if len(own) == 1 else None)
    if close is not None:
        letter = _odd(close, exercise.name)
        return Slip(
            f"{sentence}, but {close}: {letter}is {exercise.name} meant?", _place(module, exercise, close)
        )
    return _outside(module, exercise, sentence)


def _no_function(module: ModuleType, exercise: Exercise) -> Slip:
    own = [name for name, value in vars(module).items() if inspect.isfunction(value)]
    sentence = f"{exercise.file} defines no function {exercise.name}"
    close = nearest_name(exercise.name, own)
    if close is None:
        return Slip(sentence)
    told = f"{sentence}, but {close}: {_odd(close, exercise.name)}is {exercise.name} meant?"
    return Slip(told, _place(module, exercise, close))


def _no_method(module: ModuleType, found: type, exercise: Exercise, name: str) -> Slip:
    sentence = f"the class {exercise.name} in {exercise.file} has no method {name}"
    close = nearest_name(name, [own for own, value in vars(found).items() if callable(value)])
    if close is not None:
        told = f"{sentence}, but {close}: {_odd(close, name)}is {name} meant?"
        return Slip(told, _place(module, exercise, close))
    return _outside(module, exercise, sentence)


def _outside(module: ModuleType, exercise: Exercise, sentence: str) -> Slip:
    """Return the slip for a function outside of the class that was meant to be its method."""
    name = exercise.method
    if not inspect.isfunction(getattr(module, name, None)):
        return Slip(sentence)
    told = f"{sentence}, but a function {name} outside of it: is it indented too little?"
    return Slip(told, _place(module, exercise, name))


def _takes(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return True


def _place(module: ModuleType, exercise: Exercise, name: str) -> str:
    """Return the line in which a class or a function of this name begins."""
    try:
        text = _text(module)
        node = next(_defined(ast.parse(text), name))
    except (OSError, ValueError, SyntaxError, StopIteration):
        return ""
    line = text.splitlines()[node.lineno - 1]
    start = line.find(name)
    return format_line(exercise.file, node.lineno, line, start, start + len(name))


def _text(module: ModuleType) -> str:
    """Return the text of a module's file."""
    return Path(str(module.__file__)).read_text(encoding="utf-8-sig")


def _defined(tree: ast.Module, name: str) -> Iterator[_Named]:
    return (node for node in ast.walk(tree) if isinstance(node, _Named) and node.name == name)
