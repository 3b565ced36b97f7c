"""Plain data as it is sent: what an exercise's own code draws or returns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, Final

from grader.model.data import MAX_KEYS, MAX_MAZE, MAX_NUMBER, data_of, is_key
from grader.model.json import Json
from lab import Dimension, Maze

_MAX_NESTING: Final = 8
"""What lies more than 8 collections deep comes from a submission as a description only,"""
_MAX_CHARACTERS: Final = 100_000
"""and so does a longer text."""


def told(value: object, depth: int = 0) -> Json:
    """Return a value as it is sent.

    Raises TypeError for what is no plain data, and for what no submission could send.
    """
    if value is None or isinstance(value, bool):
        return value
    for kind, write in _SINGLE.items():
        if isinstance(value, kind):
            return write(value)
    for kind, write_all in _COLLECTIONS.items():
        if isinstance(value, kind):
            if depth == _MAX_NESTING:
                raise TypeError(f"expected {_MAX_NESTING} collections in one another at the most, got more")
            return write_all(value, depth + 1)
    raise TypeError(f"expected plain data, got an object of the class {type(value).__name__}")


def _text(text: str) -> Json:
    if len(text) > _MAX_CHARACTERS:
        raise TypeError(f"expected a text of {_MAX_CHARACTERS} characters at the most, got {len(text)}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise TypeError(f"expected a text of whole characters, got half of a pair in {text!r:.80}") from None
    return str.__str__(text)


def _whole(number: int) -> Json:
    if abs(number) >= MAX_NUMBER:
        raise TypeError(f"expected a whole number below 2^53, got one of {number.bit_length()} bits")
    return int(number)


def _maze(maze: Maze) -> Json:
    text = maze.to_text()
    if len(text) > MAX_MAZE:
        raise TypeError(f"expected a maze of {MAX_MAZE} characters at the most, got {len(text)}")
    return {"m": text}


_SINGLE: Final[dict[type, Callable[[Any], Json]]] = {
    str: _text,
    int: _whole,
    float: lambda number: float(number) if abs(number) < MAX_NUMBER else {"f": repr(float(number))},
    Maze: _maze,
    Dimension: lambda size: {"z": [size.row_count, size.column_count]},
}


def _each(values: Iterable[object], depth: int) -> list[Json]:
    return [told(value, depth) for value in values]


def _tuple(values: tuple[object, ...], depth: int) -> Json:
    is_pair = len(values) == 2 and all(type(value) is int for value in values)
    return {"v": _each(values, depth)} if is_pair else {"t": _each(values, depth)}


def _set(values: Collection[object], depth: int) -> Json:
    return {"s": sorted(_keys(values, depth), key=repr)}


def _mapping(items: dict[object, object], depth: int) -> Json:
    pairs = zip(_keys(items, depth), _each(items.values(), depth), strict=True)
    return {"d": [[*pair] for pair in pairs]}


def _keys(keys: Collection[object], depth: int) -> list[Json]:
    if len(keys) > MAX_KEYS:
        raise TypeError(f"expected a set or a dictionary of {MAX_KEYS} keys at the most, got {len(keys)}")
    return [_key(key, depth) for key in keys]


def _key(key: object, depth: int) -> Json:
    sent = told(key, depth)
    if not is_key(data_of(sent)):
        raise TypeError(
            "expected texts, numbers, cells, or tuples of such as the keys of a dictionary and in a set, "
            f"got {key!r:.80}"
        )
    return sent


_COLLECTIONS: Final[dict[type, Callable[[Any, int], Json]]] = {
    list: _each,
    tuple: _tuple,
    set: _set,
    frozenset: _set,
    dict: _mapping,
    type({}.keys()): lambda keys, depth: {"t": _each(keys, depth)},
    type({}.values()): lambda values, depth: {"t": _each(values, depth)},
}
