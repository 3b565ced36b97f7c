"""Plain data of any shape: what the student's code is given, and returns (PROTOCOL.md, section D).

As in ``values.py``, no method of a student's object is called: types are compared by identity, and contents
are read through the methods of the built-in types.
"""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

from lab.dimension import Dimension
from lab.maze import Maze
from lab.vector import Vector

from .values import MAX_MAZE, class_name, describe, is_a, iterated, maze_text_of
from .wire import MAX_COORDINATE, MAX_NUMBER

MAX_PARTS: Final = 1_000_000
"""A value of more than 1,000,000 parts is described, not sent."""
MAX_KEYS: Final = 50_000
"""A set or a dictionary of more than 50,000 keys is described."""
MAX_NESTING: Final = 8
"""What lies more than 8 collections deep is described."""
MAX_CHARACTERS: Final = 100_000
"""A longer text is described."""

_VIEWS: Final[tuple[Any, ...]] = (type({}.keys()), type({}.values()), type({}.items()))
_AS_TUPLES: Final[tuple[tuple[type, Callable[[Any], Iterator[Any]]], ...]] = (
    (tuple, tuple.__iter__),
    (deque, deque.__iter__),
    *((view, view.__iter__) for view in _VIEWS),
)
"""What is sent as a tuple, and how its elements are read, in order."""


class _TooMuch(Exception):  # noqa: N818 - named after what happened
    """The value has more parts than are sent."""


def data(value: Any, most: int = MAX_PARTS) -> Any:
    """Return a value as a D; describe one that has more than ``most`` parts."""
    try:
        return _Teller(most).told(value, 0)
    except _TooMuch:
        return _described(value)


class _Teller:
    """Turns a value into a D, and counts its parts on the way."""

    def __init__(self, most: int) -> None:
        self._left = most

    def _count(self, parts: int) -> None:
        self._left -= parts
        if self._left < 0:
            raise _TooMuch

    def told(self, value: Any, depth: int) -> Any:
        self._count(1)
        return self._counted(value, depth)

    def _counted(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind is Vector and depth < MAX_NESTING:  # as below, in a third of the time
            pair = [*tuple.__iter__(value)]
            is_whole = len(pair) == 2 and type(pair[0]) is type(pair[1]) is int
            if is_whole and -MAX_NUMBER < min(pair) <= max(pair) < MAX_NUMBER:
                self._count(2)
                return {"v": pair}
        if value is None or kind is bool or (kind is int and -MAX_NUMBER < value < MAX_NUMBER):
            return value
        if kind is str or kind is float:
            return _scalar(value)
        found = None if depth == MAX_NESTING else self._collection(value, kind, depth + 1)
        return _single(value, kind) if found is None else found

    def _collection(self, value: Any, kind: type, depth: int) -> Any:
        if kind is MappingProxyType:
            value, kind = iterated(value), tuple
        if is_a(list, kind):
            return self._each(list.__iter__(value), depth)
        for base, read in _AS_TUPLES:
            if is_a(base, kind):
                return self._tuple(read(value), depth)
        if is_a(dict, kind):
            return self._mapping(value, kind, depth)
        for kept in (set, frozenset):
            if is_a(kept, kind):
                return self._set(kept.__iter__(value), kept.__len__(value), depth)
        return None

    def _each(self, elements: Iterator[Any], depth: int) -> list[Any]:
        parts = [*islice(elements, self._left + 1)]
        self._count(len(parts))
        return [
            part if type(part) is int and -MAX_NUMBER < part < MAX_NUMBER else self._counted(part, depth)
            for part in parts
        ]

    def _tuple(self, elements: Iterator[Any], depth: int) -> Any:
        told = self._each(elements, depth)
        is_pair = len(told) == 2 and type(told[0]) is int and type(told[1]) is int
        return {"v": told} if is_pair else {"t": told}

    def _mapping(self, value: Any, kind: type, depth: int) -> Any:
        if dict.__len__(value) > MAX_KEYS:
            raise _TooMuch
        items = OrderedDict.items(value) if is_a(OrderedDict, kind) else dict.items(value)
        return {"d": [[self._key(key, depth), self.told(item, depth)] for key, item in items]}

    def _set(self, elements: Iterator[Any], count: int, depth: int) -> Any:
        if count > MAX_KEYS:
            raise _TooMuch
        return {"s": [self._key(element, depth) for element in elements]}

    def _key(self, key: Any, depth: int) -> Any:
        """Return a key as a D; describe one that cannot be a key on the other side, too."""
        told = self.told(key, depth)
        return told if can_be_key(told) else _described(key)


def can_be_key(told: Any) -> bool:
    """Tell whether a D can be a dictionary key on the trusted side: text, a number, or a tuple of such.

    Thousands of pairs of large numbers can be made that share one hash.
    """
    if type(told) is not dict:
        return type(told) is not list
    ((name, content),) = told.items()
    if name == "v":
        return bool(-MAX_COORDINATE < min(content) <= max(content) < MAX_COORDINATE)
    return name in ("f", "o", "z") or (name == "t" and all(map(can_be_key, content)))


def _scalar(value: Any) -> Any:
    if type(value) is float:
        return value if math.isfinite(value) and abs(value) < MAX_NUMBER else {"f": repr(value)}
    return (
        value.encode("utf-8", "backslashreplace").decode()
        if len(value) <= MAX_CHARACTERS
        else _described(value)
    )


def _single(value: Any, kind: type) -> Any:
    """Return as a D what is no collection, or lies too deep."""
    if is_a(Maze, kind):
        try:
            text = maze_text_of(value)
        except Exception:  # noqa: BLE001 - its fields may hold anything by now
            return _described(value)
        return {"m": text} if type(text) is str and len(text) <= MAX_MAZE else _described(value)
    if kind is Dimension:
        return {"z": [value.row_count, value.column_count]}
    if is_a(int, kind):
        number = int.__index__(value)
        return number if -MAX_NUMBER < number < MAX_NUMBER else _described(value)
    if is_a(float, kind):
        return _scalar(float.__float__(value))
    return _scalar(str.__str__(value)) if is_a(str, kind) else _described(value)


def _described(value: Any) -> Any:
    return {"o": [class_name(value), describe(value)]}


def made(told: Any) -> Any:
    """Make the value that a D of the grader's stands for."""
    if type(told) is list:
        return [made(part) for part in told]
    if type(told) is not dict:
        return told
    ((name, content),) = told.items()
    return _MAKERS[name](content)


_MAKERS: Final[dict[str, Callable[[Any], Any]]] = {
    "t": lambda parts: tuple(map(made, parts)),
    "s": lambda parts: set(map(made, parts)),
    "d": lambda items: {made(key): made(item) for key, item in items},
    "v": lambda pair: Vector(*pair),
    "m": Maze.from_text,
    "z": lambda pair: Dimension(*pair),
    "f": float,
}
