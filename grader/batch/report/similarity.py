"""How much of their own code two submissions share: winnowed fingerprints of the code, by copydetect.

Names, comments and layout do not count, and neither does what the students were given. Pairs are
looked up through the fingerprints that they share, so a class of hundreds is compared in seconds; they
are packed, since those of a whole class are in memory at once.

What many share is taught, not copied, and does not count. So that a copy that went through many hands is not
taken for what is taught, copies are found first, among all fingerprints, and each group of them counts once.

Code that is the same is compared once, and two are held against each other only where they share some of what
is rare, so that time and memory grow with the class, not with its square.
"""

from __future__ import annotations

import hashlib
import io
import os
from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from math import ceil
from typing import Any, Final

from grader.batch.report.disjoint_sets import DisjointSets
from grader.batch.report.given_code import all_given_code, without_given_files
from grader.errors import SandboxError
from grader.sandbox.cache import cache_folder

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

Prints = Mapping[str, "array[int]"]
Codes = Iterable[tuple[str, bytes]]
"""Names and code, which may be gone through more than once."""


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


def pairs_of(codes: Codes, earlier: Codes = ()) -> list[Pair]:
    """The pairs that are alike, the most alike first; of ``earlier`` work, only with that of the class.

    Those of the class whose code is the same stand together: each makes a pair with the first of them, and
    with others only where those are no less alike. So there are as many pairs as hold all together.
    """
    own, others = _prints_of(codes), _prints_of(earlier)
    members = {names[0]: names for names in _same(own)}
    prints = {name: own[name] for name in members}
    whole = {**prints, **others}
    copies = list(_copies(whole))
    taught = _taught(prints, copies)
    rare = _large({name: _without(found, taught) for name, found in whole.items()})
    shares = dict(_shares(rare))
    for one, other in copies:
        share = _share(whole[one], whole[other])
        shares[one, other] = max(share, shares.get((one, other), 0.0))
    found = {Pair(names[0], name, 1.0) for names in members.values() for name in names[1:]}
    for (one, other), share in shares.items():
        if share >= SHARE and not (one in others and other in others):
            found.update(_joined(members.get(one, [one]), members.get(other, [other]), share))
    return sorted(found, key=lambda pair: (-pair.share, pair.one, pair.other))


def _prints_of(codes: Codes) -> Prints:
    """The fingerprints of those that have enough of them; the same code is looked at once."""
    known: dict[bytes, array[int]] = {}
    found = {}
    for name, code in codes:
        key = hashlib.sha256(code).digest()
        if key not in known:
            known[key] = _fingerprints(without_given_files(code))
        found[name] = known[key]
    return _large(found)


def _same(prints: Prints) -> Iterator[list[str]]:
    """The names of those whose fingerprints are the same, in their order."""
    found: dict[bytes, list[str]] = defaultdict(list)
    for name in sorted(prints):
        found[hashlib.sha256(prints[name].tobytes()).digest()].append(name)
    yield from found.values()


def _joined(ones: Sequence[str], others: Sequence[str], share: float) -> Iterator[Pair]:
    """The pairs that join two groups of the same code; all others of theirs come later, and join nothing."""
    pairs = [(ones[0], others[0])]
    if share == 1.0:
        pairs += [(ones[0], other) for other in others[1:]] + [(one, others[0]) for one in ones[1:]]
    yield from (Pair(min(pair), max(pair), share) for pair in pairs)


@lru_cache(maxsize=8)
def shared_lines(one: str, other: str) -> tuple[frozenset[int], frozenset[int]]:
    """The numbers of the lines of each of two codes that are in the other one too, but for what was given.

    It takes a tenth of a second, and pairs of a group are often of the same code: the last ones are kept.
    """
    compare = _copydetect().compare_files
    documents = [_document(code, given=sorted(_given())) for code in (one, other)]
    _, _, slices = compare(*documents)
    return _lines(one, slices[0]), _lines(other, slices[1])


def _lines(code: str, slices: Any) -> frozenset[int]:
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
    return frozenset(found)


def _large(prints: Prints) -> Prints:
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
    groups = DisjointSets(prints)
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


def _shares(prints: Prints) -> Iterator[tuple[tuple[str, str], float]]:
    """The pairs of which the smaller one has 80 % or more in common with the other, and how much it has.

    Such a pair shares one of the rarest 20 % of the smaller one's, so that only those who hold these are
    looked at (prefix filtering, as for copies).
    """
    counts = Counter(number for found in prints.values() for number in found)
    holders: dict[int, list[str]] = defaultdict(list)
    for name, found in prints.items():
        for number in found:
            holders[number].append(name)
    for name, found in prints.items():
        rarest = sorted(found, key=lambda number: (counts[number], number))
        few = rarest[: len(found) - int(SHARE * len(found)) + 1]
        own = frozenset(found)
        for other in {other for number in few for other in holders[number]} - {name}:
            if (len(found), name) < (len(prints[other]), other):
                one, two = sorted((name, other))
                yield (one, two), len(own.intersection(prints[other])) / len(found)


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
    return _copydetect().CodeFingerprint(
        "submission.py", _NOISE, window, boilerplate=given, fp=io.StringIO(code), language="python"
    )


@cache
def _copydetect() -> Any:
    """The package. One for plots comes with it, which keeps a list of the fonts here, in a folder of ours:
    not every user has one, and it would complain."""
    before = dict(os.environ)
    try:
        with suppress(SandboxError):  # no folder can be written: they make do without
            os.environ |= dict.fromkeys(("MPLCONFIGDIR", "XDG_CACHE_HOME"), str(cache_folder() / "fonts"))
        return import_module("copydetect")
    finally:
        os.environ.clear()
        os.environ.update(before)


def _given() -> frozenset[int]:
    """All fingerprints of what students are given, exercises of the course's own among it."""
    return _all_of(all_given_code())


@cache
def _all_of(codes: tuple[bytes, ...]) -> frozenset[int]:
    """All fingerprints of codes."""
    return frozenset(int(number) for code in codes for number in _document(as_text(code), window=1).hashes)
