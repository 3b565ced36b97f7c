"""How much of their own code two submissions share, by winnowed fingerprints of the code (copydetect).

Names, comments and layout do not count, and neither does code that students were given. Candidate pairs are
found through the fingerprints that they share, so a class of hundreds is compared in seconds; fingerprints
are packed, since those of a whole class are in memory at once.

Code that many share counts as taught, not copied, and is ignored. So that widely shared copies are not
mistaken for taught code, copies are found first, among all fingerprints, and each group of copies counts
once.

Identical code is compared once, and two submissions are compared only if they share some rare fingerprints,
so that time and memory grow linearly with the class.

What is compared of a submission is its look: made of its code alone, once, perhaps while the class is graded,
and kept with its result. It names the sources and the given code that it was made by, and is made anew where
these are others.
"""

from __future__ import annotations

import hashlib
import io
import sys
import tempfile
import zlib
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from itertools import combinations
from math import ceil
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Final, TypeVar

import msgspec

from grader import shipped
from grader.batch.code_text import CODE_BYTES, as_text, code_of, code_with, files_in, is_cut
from grader.batch.journal import FILE, codes_in
from grader.errors import InputError, Unreached
from grader.exercises.kit.folders.code import KNOWN
from grader.intake import bulk_download
from grader.intake.class_listing import HandIn, find_hand_ins
from grader.intake.submissions import submission_of
from grader.model import Limits
from grader.reader import Reader
from grader.shipped import template
from grader.text import in_bytes
from lab.template import template_folder


class DisjointSets:
    """A partition of names, at first each in a set of its own: the union-find structure (R. Tarjan, 1975)."""

    def __init__(self, names: Iterable[str]) -> None:
        self._above = {name: name for name in names}

    def join(self, one: str, other: str) -> bool:
        """Join the sets of two names; return whether they were different."""
        first, second = sorted((self._top(one), self._top(other)))
        self._above[second] = first
        return first != second

    def all(self) -> list[list[str]]:
        """Return the sets, and the names in each, in alphabetical order."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in sorted(self._above):
            found[self._top(name)].append(name)
        return list(found.values())

    def _top(self, name: str) -> str:
        while self._above[name] != name:
            self._above[name] = name = self._above[self._above[name]]
        return name


# --- given code -------------------------------------------------------------------------------------
# The code that students are given: it does not count as their own wherever it appears.


def all_given_code() -> tuple[bytes, ...]:
    """Return all code that students start with: skeletons and public tests, including those of the course.

    Raises GraderError.
    """
    own = (known.exercise for known in KNOWN.values())
    added = (text.encode() for each in own for text in (each.skeleton, each.public_tests))
    return (*template(), *_public_tests(), *added)


def without_given_files(code: bytes) -> bytes:
    """Remove from code, in the form of ``code_of``, the files that are exactly as they were given.

    Files of literals are removed, too: they are no code, and all alike.
    """
    given, files = _normalise_all(all_given_code()), files_in(code)
    read = {known.exercise.file for known in KNOWN.values() if known.exercise.is_read}
    own = {p: text for p, text in files.items() if p not in read and _normalise_space(text) not in given}
    return code if len(own) == len(files) else code_with(own)


@cache
def _public_tests() -> tuple[bytes, ...]:
    """Return the code that runs the public tests of the lab's own exercises."""
    found = template_folder()
    return tuple(path.read_bytes() for path in sorted((found / "tests").glob("*.py"))) if found else ()


@cache
def _normalise_all(codes: tuple[bytes, ...]) -> frozenset[bytes]:
    """Normalise the white space of each code; cached, since it is the same for a whole class."""
    return frozenset(map(_normalise_space, codes))


def _normalise_space(code: bytes) -> bytes:
    """Replace each run of white space by one space, so that line endings do not matter."""
    return b" ".join(code.split())


T = TypeVar("T")
_Lines = tuple[frozenset[int], frozenset[int]]
"""The numbers of lines of two codes."""
SHARE: Final = 0.8
"""A pair is reported if the other has at least 80 % of the smaller one's own code."""
HOW_TO_GET: Final = "install copydetect (the extra [similarity]) to see which submissions are alike"
_COPY: Final = 0.75
"""The least Jaccard index of all their code at which two submissions are copies, whatever was taught."""
_NOISE: Final = 25
"""Matches shorter than 25 characters of code, without names, are ignored."""
_GUARANTEE: Final = 30
"""Matches of at least 30 characters are certain to be found."""
_LEAST: Final = 40
"""A submission with fewer than 40 fingerprints of its own is too small to be compared."""
_COMMON: Final = 0.25
"""Fingerprints that a larger share of the class has count as taught, and are ignored."""

_OWN_LINES: Final = 15
"""A file with fewer lines of the student's own may be identical by chance."""

Prints = Mapping[str, "array[int]"]
Codes = Iterable[tuple[str, bytes]]
"""Names and code of submissions."""


@dataclass(frozen=True, slots=True)
class Look:
    """What is compared of one submission."""

    code: str
    """The digest of its code."""
    files: tuple[tuple[str, str, bool], ...] = ()
    """For each file its path, a digest of its lines, and whether enough of them are the student's own."""
    prints: tuple[int, ...] = ()
    """The fingerprints of all code, without those of what students are given, sorted."""
    left_out: str = ""
    """What of it is not compared; empty if all is."""


Looks = Mapping[str, Look]
CUT: Final = f"compared in part: of its long files the first lines, {in_bytes(CODE_BYTES)} together"
_LOOK_BYTES: Final = 16 * 1024 * 1024
"""A look that takes more bytes is none of ours."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two similar submissions."""

    one: str
    other: str
    share: float
    """The share of the smaller one's own code that the other has, from 0 to 1."""
    page: str = ""
    """The page that shows both side by side, relative to the results."""


def can_compare() -> bool:
    """Tell whether copydetect is installed."""
    return find_spec("copydetect") is not None


def look_at(code: bytes) -> bytes:
    """Return the look of a code, packed, with a digest of what made it.

    The code is read in a process with bounds; what goes beyond them is left out, and the look says so.
    """
    name = hashlib.sha256(code).hexdigest()
    look = Look(name)
    if code:
        prepare_to_compare()
        named = partial(Look, name, left_out=CUT if is_cut(code) else "")
        less = partial(Look, name, left_out="its code took too much to compare: only equal files are found")
        whole = Reader.of(Limits()).attempt(lambda: named(_files_of(code), _fingerprints(code)), Look)
        look = whole or Reader.of(Limits()).attempt(lambda: less(_files_of(code)), Look) or look
    return maker() + zlib.compress(msgspec.json.encode(look))


def prepare_to_compare() -> None:
    """Load what comparing takes, once for this process and those that are forked from it."""
    given = all_given_code()
    _lines_of(given), _normalise_all(given)
    if can_compare():
        _given_prints()


def unpack(packed: bytes) -> Look | None:
    """Return a look; None where it was not made by what is here now, or is damaged."""
    made_by = maker()
    if not packed.startswith(made_by):
        return None
    try:
        content = zlib.decompressobj().decompress(packed[len(made_by) :], _LOOK_BYTES)
        return msgspec.json.decode(content, type=Look)
    except (zlib.error, msgspec.MsgspecError):
        return None


def maker() -> bytes:
    """Return a digest of what looks are made by: sources, copydetect, and the code that is given."""
    sources = shipped.digest("grader/batch/report/similarity.py", "grader/batch/job.py")
    return _maker_of(sources, all_given_code())


@cache
def _maker_of(sources: str, given: tuple[bytes, ...]) -> bytes:
    packages = [version(name) for name in ("copydetect", "pygments") if can_compare()]
    return hashlib.sha256(repr((sources, packages, given)).encode()).digest()


def _files_of(code: bytes) -> tuple[tuple[str, str, bool], ...]:
    given, found = _lines_of(all_given_code()), []
    for file, content in files_in(code).items():
        lines = [line for line in as_text(content).splitlines() if line]
        digest = hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()
        is_own = len([line for line in lines if line.strip() not in given]) >= _OWN_LINES
        found.append((file, digest, is_own))
    return tuple(found)


@cache
def _lines_of(codes: tuple[bytes, ...]) -> frozenset[str]:
    return frozenset(line.strip() for code in codes for line in as_text(code).splitlines())


def pairs_of(looks: Looks, earlier: Looks = MappingProxyType({})) -> list[Pair]:
    """Return the similar pairs, the most similar first; ``earlier`` work is paired only with the class.

    Submissions with identical code form one node: each makes a pair with the first of them, and with others
    only if these are just as similar. So there are no more pairs than are needed to connect all of them.
    """
    own, others = _prints_of(looks), _prints_of(earlier)
    members = {names[0]: names for names in _group_identical(own)}
    prints = {name: own[name] for name in members}
    whole = {**prints, **others}
    copies = list(_find_copies(whole))
    taught = _find_taught(prints, copies)
    rare = _large({name: _without(found, taught) for name, found in whole.items()})
    shares = dict(_find_shares(rare))
    for one, other in copies:
        share = _share(whole[one], whole[other])
        shares[one, other] = max(share, shares.get((one, other), 0.0))
    found = {Pair(names[0], name, 1.0) for names in members.values() for name in names[1:]}
    for (one, other), share in shares.items():
        if share >= SHARE and not (one in others and other in others):
            found.update(_connect(members.get(one, [one]), members.get(other, [other]), share))
    return sorted(found, key=lambda pair: (-pair.share, pair.one, pair.other))


def _prints_of(looks: Looks) -> Prints:
    """Return the fingerprints of submissions that have enough of them."""
    return _large({name: array("q", look.prints) for name, look in looks.items()})


def _group_identical(prints: Prints) -> Iterator[list[str]]:
    """Yield groups of names with equal fingerprints, in alphabetical order."""
    found: dict[bytes, list[str]] = defaultdict(list)
    for name in sorted(prints):
        found[hashlib.sha256(prints[name].tobytes()).digest()].append(name)
    yield from found.values()


def _connect(ones: Sequence[str], others: Sequence[str], share: float) -> Iterator[Pair]:
    """Yield the pairs that connect two groups of identical code; further pairs between them are redundant."""
    pairs = [(ones[0], others[0])]
    if share == 1.0:
        pairs += [(ones[0], other) for other in others[1:]] + [(one, others[0]) for one in ones[1:]]
    yield from (Pair(min(pair), max(pair), share) for pair in pairs)


@lru_cache(maxsize=8)
def shared_lines(one: str, other: str) -> _Lines:
    """Return the lines, counted from 0, that each of two codes shares with the other, ignoring given code.

    Cached: one call takes a tenth of a second, and pairs of a group often have the same code.
    """
    return _read(lambda: _shared(one, other), _Lines) or (frozenset(), frozenset())


def _shared(one: str, other: str) -> _Lines:
    compare = _copydetect().compare_files
    documents = [_document(code, sorted(_given_prints())) for code in (one, other)]
    _, _, slices = compare(*documents)
    return _marked_lines(one, slices[0]), _marked_lines(other, slices[1])


def _marked_lines(code: str, slices: Any) -> frozenset[int]:
    """Return the lines that lie mostly inside of slices, given as a row of starts and a row of ends."""
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


def _find_copies(prints: Prints) -> Iterator[tuple[str, str]]:
    """Yield the pairs that share most of their fingerprints.

    Two sets with a Jaccard index of t or more share one of the rarest 1 - t of each, so only few pairs have
    to be compared (prefix filtering: R. J. Bayardo et al., "Scaling up all pairs similarity search", 2007).
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


def _find_taught(prints: Prints, copies: Iterable[tuple[str, str]]) -> Collection[int]:
    """Return the fingerprints that many of the class share, counting each group of copies once."""
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


def _find_shares(prints: Prints) -> Iterator[tuple[tuple[str, str], float]]:
    """Yield pairs in which the other has 80 % or more of the smaller one's fingerprints, and this share.

    Such a pair shares one of the rarest 20 % of the smaller one's, so only holders of these are compared
    (prefix filtering, as for copies).
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


def _read(work: Callable[[], T], kind: Any) -> T | None:
    """Do work on code in a process with bounds, one for each piece; None where it goes beyond them."""
    _given_prints()  # once for all of them
    return Reader.of(Limits()).attempt(work, kind)


def _fingerprints(code: bytes) -> tuple[int, ...]:
    """Return the sorted fingerprints of code, without those of code that students are given."""
    if not can_compare():
        return ()
    text = "".join(map(as_text, files_in(without_given_files(code)).values()))
    return tuple(sorted({int(number) for number in _document(text).hashes} - _given_prints()))


def _document(code: str, given: Any = None) -> Any:
    # The lexer is quadratic in the length of a run of blank lines, and of some long lines.
    return _copydetect().CodeFingerprint(
        "submission.py",
        _NOISE,
        _GUARANTEE - _NOISE + 1,
        boilerplate=given,
        fp=io.StringIO(code),
        language="python",
    )


@cache
def _copydetect() -> Any:
    """Import copydetect without its plotting package, which every process that is forked later would copy.

    Its fingerprints are those of Python's ``hash``, which differ in each process: here they are digests.
    """
    unused = {"matplotlib", "matplotlib.pyplot"} - sys.modules.keys()
    sys.modules.update({name: ModuleType(name) for name in unused})
    try:
        module = import_module("copydetect")
    finally:
        for name in unused:
            del sys.modules[name]
    vars(import_module("copydetect.utils"))["hashed_kgrams"] = _hash_parts
    return module


def _hash_parts(text: str, k: int) -> Any:
    """Return the digest of each part of ``k`` characters, as an array of numbers."""
    data, numpy = text.encode("utf-32-le", "surrogatepass"), import_module("numpy")
    digests = (blake2b(data[at : at + 4 * k], digest_size=8) for at in range(0, len(data) - 4 * k + 1, 4))
    return numpy.frombuffer(b"".join(each.digest() for each in digests), dtype="<i8")


def _given_prints() -> frozenset[int]:
    """Return all fingerprints of code that students are given, including that of the course's own."""
    return _all_prints(all_given_code())


@cache
def _all_prints(codes: tuple[bytes, ...]) -> frozenset[int]:
    """Return all fingerprints of several codes, without winnowing."""
    _copydetect()
    filtered = import_module("copydetect.utils").filter_code
    texts = (filtered(as_text(code), "submission.py", "python")[0] for code in codes)
    return frozenset(number for text in texts for number in _hash_parts(text, _NOISE).tolist())


def check_earlier(path: Path) -> None:
    """Raise InputError if the path does not exist."""
    if not path.exists():
        raise InputError(
            "expected a folder of submissions or of results; nothing is there: name where earlier work is, "
            "or --against none, with grader batch",
            path=path,
        )


def earlier_codes(path: Path) -> list[tuple[str, bytes]]:
    """Return name and code of each submission, each name prefixed with that of the folder.

    Raises GraderError.
    """
    check_earlier(path)
    found = codes_in(path) if (path / FILE).is_file() else _read_codes(path)
    return [(f"{path.resolve().name}/{name}", code) for name, code in found]


def _read_codes(path: Path) -> list[tuple[str, bytes]]:
    with ExitStack() as stack:
        unpacked = bulk_download.Unpacked(path)
        if path.is_file():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="maze-grader-")))
            unpacked = bulk_download.unpack(path, folder)
        found = find_hand_ins(unpacked.folder, broken=unpacked.broken).hand_ins
        return [(hand_in.name, _code(hand_in)) for hand_in in found]


def _code(hand_in: HandIn) -> bytes:
    """Return a submission's code; empty if it cannot be read."""
    try:
        return code_of(submission_of(hand_in, Reader.of(Limits())))
    except (OSError, Unreached):
        return b""
