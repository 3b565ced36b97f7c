"""Which submissions are suspiciously alike: winnowed fingerprints of the code, by copydetect.

Names, comments and layout do not count, and neither does what the students were given. Pairs are
looked up through the fingerprints that they share, so a class of hundreds is compared in seconds; they
are packed, since those of a whole class are in memory at once.
Likeness proves nothing: small exercises have few right answers, and a person has to look.
"""

from __future__ import annotations

import io
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from typing import Any, Final

from grader.shipped import template

SHARE: Final = 0.8
"""A pair is shown where at least 80 % of the smaller one's own code is in the other."""
SHOWN: Final = 50
"""At most 50 pairs are shown, the most alike first."""
_NOISE: Final = 25
"""Shorter matches, in characters of code without names, count for nothing."""
_GUARANTEE: Final = 30
"""Matches of this length are found for sure."""
_LEAST: Final = 40
"""A submission with fewer fingerprints of its own is too small to be compared."""
_COMMON: Final = 0.25
"""What more than a quarter of the class shares is taught, not copied: such fingerprints do not count."""
_LINE: Final = 1000
"""Of a longer line, in characters, the beginning counts: that is data, or an attack on the lexer."""
_HOW_TO_GET: Final = "install copydetect (the extra [similarity]) to see which submissions are alike"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two submissions that are alike."""

    one: str
    other: str
    share: float
    """Of the smaller one's own code."""


@dataclass(frozen=True, slots=True)
class Alike:
    """What was found, or why nothing could be looked for."""

    pairs: tuple[Pair, ...] = ()
    note: str = ""


def pairs_of(codes: Iterable[tuple[str, bytes]]) -> Alike:
    """Compare the code of a class, by the names of the submissions."""
    if find_spec("copydetect") is None:
        return Alike(note=_HOW_TO_GET)
    prints = _without_common({name: _fingerprints(code) for name, code in codes})
    pairs = [Pair(one, other, share) for one, other, share in _shares(prints) if share >= SHARE]
    pairs.sort(key=lambda pair: (-pair.share, pair.one, pair.other))
    return Alike(tuple(pairs[:SHOWN]))


def _without_common(prints: dict[str, array[int]]) -> dict[str, array[int]]:
    """The fingerprints that few share, of those who have enough of them; in a small class, all."""
    prints = {name: found for name, found in prints.items() if len(found) >= _LEAST}
    counts = Counter(number for found in prints.values() for number in found)
    most = max(3, _COMMON * len(prints))
    rare = {name: array("q", [n for n in found if counts[n] <= most]) for name, found in prints.items()}
    return {name: found for name, found in rare.items() if len(found) >= _LEAST}


def _shares(prints: dict[str, array[int]]) -> Iterable[tuple[str, str, float]]:
    """How much each two have in common, of the smaller one; only those that have anything."""
    holders: dict[int, list[str]] = defaultdict(list)
    for name, found in sorted(prints.items()):
        for number in found:
            holders[number].append(name)
    common: Counter[tuple[str, str]] = Counter()
    for names in holders.values():
        common.update(combinations(names, 2))
    for (one, other), count in common.items():
        yield one, other, count / min(len(prints[one]), len(prints[other]))


def _fingerprints(code: bytes) -> array[int]:
    """The fingerprints of the code, each once, without those of what students are given."""
    return array("q", sorted({int(number) for number in _document(code).hashes} - _given()))


def _document(code: bytes, *, window: int = _GUARANTEE - _NOISE + 1) -> Any:
    # The lexer takes time that grows with the square of a run of blank lines, and of some long lines.
    lines = (line.rstrip()[:_LINE] for line in code.decode("utf-8", "replace").splitlines())
    text = io.StringIO("".join(f"{line}\n" for line in lines if line))
    return import_module("copydetect").CodeFingerprint(
        "submission.py", _NOISE, window, fp=text, language="python"
    )


@cache
def _given() -> frozenset[int]:
    """All fingerprints of the template's code."""
    return frozenset(int(number) for code in template() for number in _document(code, window=1).hashes)
