"""Read values of untrusted results: keep what is of its type, make each text visible.

Names, outputs and exceptions come from submissions. Control characters would move the cursor of a terminal,
and bidirectional marks would disguise a text, so they are spelt out. Values of the wrong type are omitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from types import NoneType
from typing import Any, NotRequired, TypeVar, cast, get_args, get_origin, get_type_hints, is_typeddict

import msgspec

from grader.languages import PREFIXES, Message, Value
from grader.text import visible
from lab import Maze, MazeFormatError, Vector

T = TypeVar("T")

TEXT_LIMIT = 4_000
"""The most characters of a text that are shown."""
MAZE_LIMIT = 120_000
"""Mazes with more characters are not drawn, since nobody could read them."""
CELLS_LIMIT = 20_000
"""The most vectors of a list that are read."""
ITEMS_LIMIT = 500
"""The most items of other lists that are read."""
LINE_LIMIT = 400
"""The most characters of a line that are shown."""
MESSAGE_DEPTH = 8
"""The deepest nesting of messages."""
MESSAGE_VALUES = 10
"""The most values of a message."""
WHOLE_LIMIT = 2**53
"""JavaScript cannot represent whole numbers from 2**53 on exactly, so they are not read."""


def as_text(value: str, *, limit: int = TEXT_LIMIT) -> str:
    """Return a text as it is shown."""
    return visible(value, limit=limit)


def as_line(value: str) -> str:
    """Return a text as it is shown on one line, with all its spaces: code may count them."""
    return " ".join(visible(value, limit=LINE_LIMIT).expandtabs(1).splitlines()).strip()


def message(value: object, *, depth: int = MESSAGE_DEPTH) -> Message | None:
    """Parse a message as described in ``grader/results.py``; None if it has another form."""
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= 2 or depth == 0:
        return None
    key, values = value[0], value[1] if len(value) == 2 else {}
    if not isinstance(key, str) or not key.startswith(PREFIXES):
        return None
    if not isinstance(values, Mapping) or len(values) > MESSAGE_VALUES:
        return None
    parts = [(str(name), _part(part, depth - 1)) for name, part in values.items()]
    known = tuple((name, part) for name, part in parts if part is not None)
    return Message(key, known) if len(known) == len(parts) else None


def _part(value: object, depth: int) -> Value | None:
    if isinstance(value, str):
        return as_text(value)
    if type(value) is int:
        return value if abs(value) < WHOLE_LIMIT else None
    return message(value, depth=depth)


def keep(value: object, kind: Any) -> Any:
    """Return what of a value is of this kind, without the keys and items that are not; None for other values.

    A number where a text is expected is kept as its text, but in a list of texts.
    """
    origin, parts = get_origin(kind), get_args(kind)
    if is_typeddict(kind) and isinstance(value, Mapping):
        return _filled((key, keep(value[key], part)) for key, part in _kinds(kind).items() if key in value)
    if origin in (dict, Mapping) and isinstance(value, Mapping):
        return _filled((str(key), keep(part, parts[1])) for key, part in value.items())
    if origin is list and isinstance(value, (list, tuple)):
        found = (_keep_item(item, parts[0]) for item in value)
        return list(islice((item for item in found if item is not None), ITEMS_LIMIT))
    if kind is str and isinstance(value, (bool, int, float)):
        return str(value)
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return None


def _keep_item(value: object, kind: Any) -> Any:
    """Return what of an item is of its kind; a damaged list is empty, so that others keep their place."""
    if kind is str and not isinstance(value, str):
        return None
    kept = keep(value, kind)
    return [] if kept is None and get_origin(kind) is list else kept


def take(source: Mapping[str, object], key: str, kind: type[T]) -> T | None:
    """Return what is of this kind under a key; None if nothing is."""
    return cast(T | None, keep(source.get(key), kind))


def _filled(parts: Iterable[tuple[str, object]]) -> dict[str, object]:
    return {key: part for key, part in parts if part is not None}


@cache
def _kinds(typed: type) -> Mapping[str, Any]:
    """Return the kind of each key, without None and whether it has to be there."""
    return {key: _bare(kind) for key, kind in get_type_hints(typed, include_extras=True).items()}


def _bare(kind: Any) -> Any:
    kind = get_args(kind)[0] if get_origin(kind) is NotRequired else kind
    return get_args(kind)[0] if NoneType in get_args(kind) else kind


def as_lines(values: Sequence[str]) -> tuple[str, ...]:
    """Return texts of a list as they are shown, up to 100."""
    return tuple(as_text(value, limit=1_000) for value in values[:100])


def vectors(source: Mapping[str, object], key: str) -> tuple[Vector, ...] | None:
    """Return the vectors in the list under a key; None if there is no such list."""
    pairs = take(source, key, tuple[tuple[int, int], ...])
    return None if pairs is None else tuple(Vector(*pair) for pair in pairs[:CELLS_LIMIT])


def maze(value: object) -> Maze | None:
    """Parse a maze; None if it is invalid, or too large to show."""
    if not isinstance(value, str) or len(value) > MAZE_LIMIT:
        return None
    try:
        return Maze.from_text(value)
    except MazeFormatError:
        return None
