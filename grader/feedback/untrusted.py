"""Read values of untrusted results: check each type, make each text visible.

Names, outputs and exceptions come from submissions. Control characters would move the cursor of a terminal,
and bidirectional marks would disguise a text, so they are spelt out. Values of the wrong type are omitted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import islice

from grader.languages import PREFIXES, Message, Value
from grader.text import visible
from lab import Maze, MazeFormatError, Vector

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
    """Return a text as it is shown on one line."""
    return " ".join(visible(value, limit=LINE_LIMIT).split())


def text(source: Mapping[str, object], key: str, *, limit: int = TEXT_LIMIT) -> str:
    """Return the text under a key, converting numbers and booleans."""
    value = source.get(key)
    if isinstance(value, str):
        return as_text(value, limit=limit)
    return str(value) if isinstance(value, (bool, int, float)) else ""


def line(source: Mapping[str, object], key: str) -> str:
    """Return the text under a key as one line."""
    return " ".join(text(source, key, limit=LINE_LIMIT).split())


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


def number(source: Mapping[str, object], key: str) -> float:
    """Return the number under a key; 0 if there is none."""
    value = source.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return 0.0
    return float(value) if math.isfinite(value) else 0.0


def whole(source: Mapping[str, object], key: str) -> int | None:
    """Return the whole number under a key; None if there is none."""
    value = source.get(key)
    return value if type(value) is int else None


def table(source: Mapping[str, object], key: str) -> Mapping[str, object] | None:
    """Return the mapping under a key; None if there is none."""
    value = source.get(key)
    return value if isinstance(value, Mapping) else None


def tables(source: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    """Return the mappings in the list under a key."""
    value = source.get(key)
    found = (item for item in value if isinstance(item, Mapping)) if isinstance(value, (list, tuple)) else ()
    return list(islice(found, ITEMS_LIMIT))


def texts(source: Mapping[str, object], key: str) -> tuple[str, ...]:
    """Return the texts in the list under a key."""
    value = source.get(key)
    if not isinstance(value, (list, tuple)):
        return ()
    return tuple(visible(item, limit=1_000) for item in value[:100] if isinstance(item, str))


def pair(value: object) -> Vector | None:
    """Make a vector of a list of two whole numbers; None for other values."""
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(type(part) is int for part in value):
        return Vector(*value)
    return None


def vectors(source: Mapping[str, object], key: str) -> tuple[Vector, ...] | None:
    """Return the vectors in the list under a key; None if there is no such list."""
    value = source.get(key)
    if not isinstance(value, (list, tuple)):
        return None
    found = [pair(item) for item in value[:CELLS_LIMIT]]
    return None if None in found else tuple(vector for vector in found if vector is not None)


def wholes(value: object) -> tuple[int, ...]:
    """Return the positive whole numbers in a list, up to the limit of items."""
    if not isinstance(value, (list, tuple)):
        return ()
    return tuple(item for item in value[:ITEMS_LIMIT] if type(item) is int and 0 < item < WHOLE_LIMIT)


def maze(value: object) -> Maze | None:
    """Parse a maze; None if it is invalid, or too large to show."""
    if not isinstance(value, str) or len(value) > MAZE_LIMIT:
        return None
    try:
        return Maze.from_text(value)
    except MazeFormatError:
        return None
