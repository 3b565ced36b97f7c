"""Making foreign text safe to show: invisible characters are spelt out; and which names are nobody's."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final, TypeVar, cast

T = TypeVar("T")

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""The Unicode categories that are spelt out: control, format (bidi marks included), surrogate, private and
unassigned characters, and the separators that start a new line unexpectedly."""


UNITS = {"GiB": 1024**3, "MiB": 1024**2, "KiB": 1024}
"""The sizes of binary units in bytes, the largest first."""


def visible(text: str, *, limit: int | None = None, one_line: bool = False) -> str:
    """Return text with control characters, bidi marks and surrogates spelt out.

    Text of more than ``limit`` characters is cut and ends with an ellipsis. Line ends and tabs stay; with
    ``one_line`` they are spelt out as well, and so are unusual spaces.
    """
    spelt = text[:limit]
    plain = spelt if one_line else spelt.replace("\n", "").replace("\t", "")
    if not plain.isprintable():
        spelt = "".join(map(_shown_in_a_line if one_line else _shown, spelt))
    return spelt if limit is None or len(text) <= limit else f"{spelt} …"


def shown(text: str, most: int = 80) -> str:
    """Return text on one line, shortened in the middle to ``most`` characters."""
    line = visible(text[: 4 * most], one_line=True)
    return line if len(line) <= most else f"{line[: most // 2]}…{line[-(most // 2 - 1) :]}"


def all_visible(value: T) -> T:
    """Return plain data with every string, keys included, made visible."""
    return cast(T, _all_visible(value))


def _all_visible(value: object) -> object:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {visible(str(key)): _all_visible(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_all_visible(item) for item in value]
    return value


def in_full(number: float) -> str:
    """Return a number with all its digits, and none that are no digits of it."""
    return str(number) if isinstance(number, int) else f"{number:.15g}"


def in_bytes(count: int) -> str:
    """Return a number of bytes as text, with the largest unit that fits."""
    return next(
        (f"{count // size} {unit}" for unit, size in UNITS.items() if count >= size), f"{count} bytes"
    )


def _shown_in_a_line(character: str) -> str:
    return character if character.isprintable() else ascii(character)[1:-1]


def _shown(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in _HIDDEN:
        return character
    number = ord(character)
    return (
        f"\\x{number:02x}"
        if number < 0x100
        else f"\\u{number:04x}"
        if number < 0x10000
        else f"\\U{number:08x}"
    )


_LEFT_BY_SYSTEMS: Final = {
    name.casefold()
    for names in (
        ("__MACOSX", "Icon\r", "Network Trash Folder", "Temporary Items"),  # macOS
        ("Thumbs.db", "ehthumbs.db", "desktop.ini", "$RECYCLE.BIN", "RECYCLER", "System Volume Information"),
        ("lost+found",),  # file systems of Linux
        ("@eaDir", "#recycle", "#snapshot", "@Recycle", "@Recently-Snapshot"),  # network storage
    )
    for name in names
}
"""What systems leave in folders, in small letters; that which they hide begins with a dot."""
_STREAM: Final = re.compile(
    r".*[:\uf03a](?:Zone\.Identifier|encryptable|SmartScreen|AFP_\w+|com\.[\w.]+)(?::\$DATA)?|~\$.*",
    re.DOTALL,
)
"""What Windows keeps beside a file, where a system without such streams has made files of them, and what
Office keeps while a document is open."""


def is_left_by_system(name: str) -> bool:
    """Tell whether a system leaves a file or folder of this name behind: it is nobody's work."""
    is_known = name.startswith("._") or name.casefold() in _LEFT_BY_SYSTEMS
    return is_known or _STREAM.fullmatch(name) is not None
