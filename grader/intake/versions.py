"""Tells which of two names is the newer version: the one with the greater number at its end.

Only what browsers, systems and students number counts: ``vN``, ``(N)`` or `` N`` at the end of names that are
otherwise equal; a name without a number is the oldest. Nothing else in a name says what came last.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import zip_longest
from typing import Final

from grader.intake.names import ARCHIVE_SUFFIXES

_NUMBERED: Final = re.compile(
    r"(?P<stem>.*?)(?:(?:^|[\s_-]+|(?<=[^\W_]))v(?P<v>\d{1,9})|\s*\((?P<copy>\d{1,9})\)|\s+(?P<n>\d{1,9}))",
    re.DOTALL,
)
_SUFFIXES: Final = (*ARCHIVE_SUFFIXES, ".py", ".ipynb", ".txt", ".json")


def version_of(name: str) -> tuple[str, int]:
    """Return the name of a file or folder without its number, in small letters, and the number; 0 for none.

    Suffixes of code and archives do not count.
    """
    text = unicodedata.normalize("NFC", name).casefold().rstrip()
    while suffix := next((each for each in _SUFFIXES if text.endswith(each)), ""):
        text = text.removesuffix(suffix)
    found = _NUMBERED.fullmatch(text)
    if found is None:
        return text, 0
    return found["stem"].rstrip(" _-"), int(found["v"] or found["copy"] or found["n"])


def is_newer(one: str, other: str) -> bool:
    """Tell whether the first of two paths is the newer version: where they part, its number is greater."""
    for name, than in zip_longest(one.split("/"), other.split("/"), fillvalue=""):
        if name != than:
            (stem, number), (other_stem, other_number) = version_of(name), version_of(than)
            return bool(name and than) and stem == other_stem and number > other_number
    return False
