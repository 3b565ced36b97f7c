"""Reading results that nobody vouches for: every value by its type, every text made visible.

Names, outputs and exceptions come from submissions. Control characters would move the cursor of
a terminal, and bidirectional marks would let a text read as another one, so each is shown as a
sign of its own. What has the wrong type is left out.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from itertools import islice

from lab import Maze, MazeFormatError, Vector

TEXT_LIMIT = 4_000
MAZE_LIMIT = 120_000
"""Characters of a maze as text; more is no picture that anybody reads."""
CELLS_LIMIT = 20_000
ITEMS_LIMIT = 500

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def visible(text: str, *, limit: int = TEXT_LIMIT) -> str:
    """Return the text with every invisible character shown; longer ones are cut, with a sign."""
    shown = "".join(map(_shown, text[:limit]))
    return shown if len(text) <= limit else shown + " …"


def _shown(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in _UNSEEN:
        return character
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    return "\N{SYMBOL FOR DELETE}" if code == 0x7F else f"⟨U+{code:04X}⟩"


def text(source: Mapping[str, object], key: str, *, limit: int = TEXT_LIMIT) -> str:
    """The text under a key; numbers and truth values are written out."""
    value = source.get(key)
    if isinstance(value, str):
        return visible(value, limit=limit)
    return str(value) if isinstance(value, (bool, int, float)) else ""


def line(source: Mapping[str, object], key: str, *, limit: int = 400) -> str:
    """The text under a key in one line."""
    return " ".join(text(source, key, limit=limit).split())


def number(source: Mapping[str, object], key: str) -> float:
    """The number under a key; 0 where there is none."""
    value = source.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return 0.0
    return float(value) if math.isfinite(value) else 0.0


def whole(source: Mapping[str, object], key: str) -> int | None:
    """The whole number under a key."""
    value = source.get(key)
    return value if type(value) is int else None


def table(source: Mapping[str, object], key: str) -> Mapping[str, object] | None:
    """The mapping under a key."""
    value = source.get(key)
    return value if isinstance(value, Mapping) else None


def tables(source: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    """The mappings in the list under a key."""
    value = source.get(key)
    found = (item for item in value if isinstance(item, Mapping)) if isinstance(value, (list, tuple)) else ()
    return list(islice(found, ITEMS_LIMIT))


def texts(source: Mapping[str, object], key: str) -> tuple[str, ...]:
    """The texts in the list under a key."""
    value = source.get(key)
    if not isinstance(value, (list, tuple)):
        return ()
    return tuple(visible(item, limit=1_000) for item in value[:100] if isinstance(item, str))


def pair(value: object) -> Vector | None:
    """A vector from a list of two whole numbers."""
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(type(part) is int for part in value):
        return Vector(*value)
    return None


def vectors(source: Mapping[str, object], key: str) -> tuple[Vector, ...] | None:
    """The vectors in the list under a key; None where there is no list of them."""
    value = source.get(key)
    if not isinstance(value, (list, tuple)):
        return None
    found = [pair(item) for item in value[:CELLS_LIMIT]]
    return None if None in found else tuple(vector for vector in found if vector is not None)


def maze(value: object) -> Maze | None:
    """The maze that a text describes; None where it describes none, or is too large to show."""
    if not isinstance(value, str) or len(value) > MAZE_LIMIT:
        return None
    try:
        return Maze.from_text(value)
    except MazeFormatError:
        return None
