"""What a student's code gave, as plain data, by exact type (PROTOCOL.md, section R).

No method of a student's object is called here: types are compared by identity, and contents are
read through the methods of the built-in types. The text for people is made from the same.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from itertools import islice
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodType
from typing import Any, Final

from lab.maze import Maze
from lab.vector import Vector

from .wire import MAX_NUMBER

Plain = dict[str, Any]

MAX_VECTORS: Final = 20_000
"""More than any way needs; a longer list is described, not sent."""
MAX_TEXT: Final = 200
_MAX_ELEMENTS: Final = 8

_CONTAINERS: Final = {
    list: "list",
    tuple: "tuple",
    deque: "deque",
    type({}.keys()): "dict_keys",
    type(OrderedDict().keys()): "odict_keys",
    type({}.values()): "dict_values",
}
_SETS: Final = (set, frozenset)
_FUNCTIONS: Final = (FunctionType, BuiltinFunctionType, MethodType)
_NAME: Final[Any] = type.__dict__["__name__"]
_MRO: Final[Any] = type.__dict__["__mro__"]
_maze_text: Final[Callable[[Maze], str]] = Maze.to_text


def plain(value: object) -> Plain:
    """Turn a value into an R."""
    kind = type(value)
    if value is None:
        return {"type": "none"}
    if kind is bool:
        return {"type": "bool", "value": value}
    if kind is int and -MAX_NUMBER < value < MAX_NUMBER:  # type: ignore[operator]  # exactly an int
        return {"type": "int", "value": value}
    position = pair(value)
    if position is not None:
        return {"type": "vector", "value": position}
    if kind in _CONTAINERS:
        return _vectors(value, _CONTAINERS[kind])
    if Maze in _MRO.__get__(kind):
        return _maze(value)
    return other(value)


def pair(value: object) -> list[int] | None:
    """The row and the column of a Vector, or of a plain tuple like it; None for all else."""
    if (type(value) is Vector or type(value) is tuple) and len(value) == 2:
        row, column = value
        if (
            type(row) is int
            and type(column) is int
            and -MAX_NUMBER < row < MAX_NUMBER
            and -MAX_NUMBER < column < MAX_NUMBER
        ):
            return [row, column]
    return None


def other(value: object) -> Plain:
    """Describe a value that is nothing else."""
    return {"type": "other", "class": class_name(value), "text": describe(value)}


def class_name(value: object) -> str:
    """The name of the value's real class, whatever it says about itself."""
    name = _NAME.__get__(type(value))
    return clean(name if type(name) is str else "?", 80)


def clean(text: str, length: int) -> str:
    """Cut a text to a length, with what is no character of Unicode made visible."""
    cut = str.__getitem__(text, slice(length))
    return cut.encode("utf-8", "backslashreplace").decode("utf-8")[:length]


def _vectors(value: Any, container: str) -> Plain:
    if len(value) > MAX_VECTORS:
        return other(value)
    found = []
    for index, element in enumerate(list(value)):
        position = pair(element)
        if position is None:
            told = {"class": class_name(element), "text": describe(element)}
            return {**other(value), "index": index, "element": told}
        found.append(position)
    return {"type": "vectors", "value": found, "container": container}


def _maze(value: Any) -> Plain:
    try:
        text = _maze_text(value)
    except Exception:
        return {**other(value), "text": "a maze whose inside was changed so that it cannot be written"}
    return {"type": "maze", "value": text} if type(text) is str else other(value)


# --- texts for people ---------------------------------------------------------------------------


def describe(value: object, depth: int = 2) -> str:
    """Describe a value in 200 characters at most."""
    try:
        return clean(_text(value, depth), MAX_TEXT)
    except Exception:  # it changed under our hands: another thread of the student's is still at work
        return f"an object of the class {class_name(value)}"


def _text(value: Any, depth: int) -> str:
    kind = type(value)
    if kind is str:
        return repr(value[:MAX_TEXT])
    if kind is int and value.bit_length() > 300:
        return f"a whole number of {value.bit_length()} bits"
    if value is None or kind in (bool, int, float, complex):
        return repr(value)
    if kind in (bytes, bytearray):
        return repr(kind(value[:MAX_TEXT]))
    if kind is Vector:
        return _collection(tuple(value), depth)
    if kind in _CONTAINERS or kind in _SETS or kind is dict:
        return _collection(value, depth)
    return _object(value)


def _object(value: Any) -> str:
    if type(value) is type:
        return f"the class {_NAME.__get__(value)}"
    if type(value) in _FUNCTIONS:
        return f"the function {getattr(value, '__name__', '?')}"
    if type(value) is GeneratorType:
        return "a generator (a function with yield)"
    return f"an object of the class {class_name(value)}"


def _collection(value: Any, depth: int) -> str:
    opening, closing = _brackets(type(value))
    if depth == 0:
        return f"{opening}...{closing}"
    if type(value) is dict:
        first = islice(value.items(), _MAX_ELEMENTS)
        shown = [f"{_text(key, depth - 1)}: {_text(element, depth - 1)}" for key, element in first]
    else:
        shown = [_text(element, depth - 1) for element in islice(value, _MAX_ELEMENTS)]
    if type(value) in _SETS:
        shown.sort()  # what lies in a set has no order of its own
    if len(value) > _MAX_ELEMENTS:
        shown.append(f"... {len(value)} in all")
    if type(value) is tuple and len(value) == 1:
        shown.append("")
    return opening + ", ".join(shown).rstrip(" ") + closing


def _brackets(kind: type) -> tuple[str, str]:
    plain_brackets = {list: ("[", "]"), tuple: ("(", ")"), dict: ("{", "}"), set: ("{", "}")}
    if kind in plain_brackets:
        return plain_brackets[kind]
    return f"{_CONTAINERS.get(kind, 'frozenset')}([", "])"
