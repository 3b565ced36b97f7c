"""How much of their own code two submissions share: winnowed fingerprints of the code, by copydetect.

Names, comments and layout do not count, and neither does what the students were given. Pairs are
looked up through the fingerprints that they share, so a class of hundreds is compared in seconds; they
are packed, since those of a whole class are in memory at once.

What many share is taught, not copied, and does not count. So that a copy that went through many hands is not
taken for what is taught, copies are found first, among all fingerprints, and each group of them counts once.
"""

from __future__ import annotations

import io
from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from math import ceil
from typing import Any, Final

from grader.batch.report.union import Groups
from grader.shipped import handed_out

SHARE: Final = 0.8
"""A pair is named where at least 80 % of the smaller one's own code is in the other."""
HOW_TO_GET: Final = "install copydetect (the extra [similarity]) to see which submissions are alike"
_COPY: Final = 0.75
"""Two that share this much of all their code together are copies of each other, whatever is taught."""
_NOISE: Final = 25
"""Shorter matches, in characters of code without names, count for nothing."""
_GUARANTEE: Final = 30
"""Matches of this length are found for sure."""
_LEAST: Final = 40
"""A submission with fewer fingerprints of its own is too small to be compared."""
_COMMON: Final = 0.25
"""What more than a quarter of the class shares is taught: such fingerprints do not count."""

_LINE: Final = 1000
"""Of a longer line, in characters, the beginning counts: that is data, or an attack on the lexer."""

Prints = Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two submissions that are alike."""

    one: str
    other: str
    share: float
    """Of the smaller one's own code."""
    page: str = ""
    """Where both stand side by side."""


def can_compare() -> bool:
    """Whether copydetect is there."""
    return find_spec("copydetect") is not None


def pairs_of(codes: Iterable[tuple[str, bytes]], earlier: Iterable[tuple[str, bytes]] = ()) -> list[Pair]:
    """The pairs that are alike, the most alike first; of ``earlier`` work, only with that of the class."""
    prints = _large({name: _fingerprints(code) for name, code in codes})
    others = _large({name: _fingerprints(code) for name, code in earlier})
    whole = {**prints, **others}
    copies = list(_copies(whole))
    taught = _taught(prints, copies)
    rare = _large({name: _without(found, taught) for name, found in whole.items()})
    shares = {(one, other): share for one, other, share in _shares(rare) if share >= SHARE}
    for one, other in copies:
        share = _share(whole[one], whole[other])
        shares[one, other] = max(share, shares.get((one, other), 0.0))
    pairs = (Pair(*names, share) for names, share in shares.items() if share >= SHARE)
    found = [pair for pair in pairs if not (pair.one in others and pair.other in others)]
    return sorted(found, key=lambda pair: (-pair.share, pair.one, pair.other))


def shared_lines(one: str, other: str) -> tuple[set[int], set[int]]:
    """The numbers of the lines of each of two codes that are in the other one too, but for what was given."""
    compare = import_module("copydetect").compare_files
    documents = [_document(code, given=sorted(_given())) for code in (one, other)]
    _, _, slices = compare(*documents)
    return _lines(one, slices[0]), _lines(other, slices[1])


def _lines(code: str, slices: Any) -> set[int]:
    """The lines of which most of the letters lie in the slices, two rows of starts and ends."""
    marked = bytearray(len(code))
    for start, end in zip(*slices, strict=True):
        marked[int(start) : int(end)] = b"\1" * len(marked[int(start) : int(end)])
    found, at = set(), 0
    for number, line in enumerate(code.splitlines(keepends=True)):
        letters = [marked[at + place] for place, letter in enumerate(line) if not letter.isspace()]
        if letters and 2 * sum(letters) >= len(letters):
            found.add(number)
        at += len(line)
    return found


def _large(prints: Prints) -> dict[str, Sequence[int]]:
    return {name: found for name, found in prints.items() if len(found) >= _LEAST}


def _copies(prints: Prints) -> Iterator[tuple[str, str]]:
    """The pairs that share most of all that either has.

    Two sets of which the Jaccard index is t or more share one of the rarest 1 - t of each, so few pairs
    have to be looked at (prefix filtering: R. J. Bayardo et al., "Scaling up all pairs similarity search",
    2007).
    """
    counts = Counter(number for found in prints.values() for number in found)
    holders: dict[int, list[str]] = defaultdict(list)
    for name, found in sorted(prints.items()):
        rarest = sorted(found, key=lambda number: (counts[number], number))
        for number in rarest[: len(found) - ceil(_COPY * len(found)) + 1]:
            holders[number].append(name)
    pairs = {pair for names in holders.values() for pair in combinations(names, 2)}
    sets = {name: frozenset(prints[name]) for pair in pairs for name in pair}
    for one, other in sorted(pairs):
        common = len(sets[one] & sets[other])
        if common >= _COPY * (len(sets[one]) + len(sets[other]) - common):
            yield one, other


def _taught(prints: Prints, copies: Iterable[tuple[str, str]]) -> Collection[int]:
    """The fingerprints that many of the class share, each group of copies counted once."""
    groups = Groups(prints)
    for one, other in copies:
        if one in prints and other in prints:
            groups.join(one, other)
    members = groups.all()
    held = ({number for name in names for number in prints[name]} for names in members)
    counts = Counter(number for numbers in held for number in numbers)
    most = max(3, _COMMON * len(members))
    return {number for number, count in counts.items() if count > most}


def _without(found: Sequence[int], taught: Collection[int]) -> array[int]:
    return array("q", [number for number in found if number not in taught])


def _shares(prints: Prints) -> Iterable[tuple[str, str, float]]:
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


def _share(one: Sequence[int], other: Sequence[int]) -> float:
    return len(set(one) & set(other)) / min(len(one), len(other))


def _fingerprints(code: bytes) -> array[int]:
    """The fingerprints of the code, each once, without those of what students are given."""
    return array("q", sorted({int(number) for number in _document(as_text(code)).hashes} - _given()))


def as_text(code: bytes) -> str:
    """The code as it is compared and shown: no blanks at the ends of lines, and one blank line for many."""
    lines = [line.rstrip()[:_LINE].rstrip() for line in code.decode("utf-8", "replace").splitlines()]
    kept = (line for number, line in enumerate(lines) if line or (number and lines[number - 1]))
    return "".join(f"{line}\n" for line in kept)


def _document(code: str, *, window: int = _GUARANTEE - _NOISE + 1, given: Any = None) -> Any:
    # The lexer takes time that grows with the square of a run of blank lines, and of some long lines.
    return import_module("copydetect").CodeFingerprint(
        "submission.py", _NOISE, window, boilerplate=given, fp=io.StringIO(code), language="python"
    )


@cache
def _given() -> frozenset[int]:
    """All fingerprints of the template's code."""
    codes = map(as_text, handed_out())
    return frozenset(int(number) for code in codes for number in _document(code, window=1).hashes)
