"""Groups of similar submissions, and a page for each pair of them.

Similarity proves nothing: small exercises have few right answers, so a person has to look.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec

from grader import shipped
from grader.batch.code_text import as_text, files_in
from grader.batch.journal import Journal
from grader.batch.report import render
from grader.batch.report.similarity import (
    HOW_TO_GET,
    DisjointSets,
    Look,
    Looks,
    Pair,
    can_compare,
    earlier_codes,
    look_at,
    maker,
    pairs_of,
    shared_lines,
    unpack,
)
from grader.disk import files_below, write_whole
from grader.errors import GraderError
from grader.text import visible

SHOWN: Final = 50
"""How many groups are listed besides those with an identical file, the most similar first."""
_PAIRS: Final = 12
"""How many pairs of a group are listed, the most similar first."""

Files = dict[tuple[str, ...], list[str]]
"""Files by the submissions that share them."""


@dataclass(frozen=True, slots=True)
class AlikeGroup:
    """Similar submissions; each is similar to at least one other in the group."""

    names: tuple[str, ...]
    """The submissions of the class first, then those of earlier work."""
    text: str
    """How similar they are, in words."""
    pairs: tuple[Pair, ...]
    """At most 12 of the pairs that connect the group, the most similar first."""
    seen: str = ""
    """A digest of the names and of the code of each."""


@dataclass(frozen=True, slots=True)
class Alike:
    """The groups of a class, with a note if a comparison was not possible."""

    groups: tuple[AlikeGroup, ...] = ()
    note: str = ""
    unseen: tuple[tuple[tuple[str, ...], str], ...] = ()
    """What was not compared, or not whole, in words, and the submissions of the class that it is about."""


def group_similar(looks: Looks, earlier: Looks = MappingProxyType({})) -> Alike:
    """Group similar submissions of a class, and of the class and earlier work.

    Groups with copies that agree in every file come first, even if other members share only single files.
    """
    copies, identical = _identical(looks, earlier)
    pairs = pairs_of(looks, earlier) if can_compare() else []
    near, hidden = list[AlikeGroup](), list[AlikeGroup]()
    for number, group in enumerate(_groups(pairs, identical, earlier)):
        (near if number < SHOWN or "identical" in group.text else hidden).append(group)
    known = {name: group.names[0] for group in near for name in group.names}
    same = [
        _group_of_identical(names, files)
        for names, files in (copies | identical | copies).items()  # the order of the first
        if not _common_group(names, known)
    ]
    groups = sorted(
        (*near, *same), key=lambda group: not any(set(names) <= {*group.names} for names in copies)
    )
    unseen: list[tuple[tuple[str, ...], str]] = [
        ((name,), look.left_out) for name, look in looks.items() if look.left_out
    ]
    more = sorted({name for group in hidden for name in group.names} - earlier.keys())
    if more:
        unseen.append((tuple(more), f"groups alike beyond the {SHOWN} that are listed: {len(hidden)}"))
    return Alike(tuple(groups), "" if can_compare() else HOW_TO_GET, tuple(unseen))


def _identical(looks: Looks, others: Looks) -> tuple[Files, Files]:
    """Return identical submissions, and single identical files, by the submissions that share them."""
    holders: dict[str, dict[str, str]] = defaultdict(dict)
    whole: dict[tuple[str, ...], dict[str, list[str]]] = defaultdict(dict)
    for name, look in chain(looks.items(), others.items()):
        own = [(file or "all code", digest) for file, digest, is_own in look.files if is_own]
        for file, digest in own:
            holders[digest].setdefault(name, file)
        if own:
            whole[tuple(sorted({digest for _, digest, _ in look.files}))][name] = [file for file, _ in own]
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for held in holders.values():
        names = _in_order(held, others)
        if len(names) > 1 and names[0] not in others:
            found[names].append(held[names[0]])
    copies = {_in_order(files, others): next(iter(files.values())) for files in whole.values()}
    copies = {names: files for names, files in copies.items() if len(names) > 1 and names[0] not in others}
    return dict(sorted(copies.items())), dict(sorted(found.items()))


def _in_order(names: Iterable[str], others: Collection[str]) -> tuple[str, ...]:
    """Sort names, those of the class before those of earlier work."""
    return tuple(sorted(names, key=lambda name: (name in others, name)))


def _groups(
    pairs: Sequence[Pair], identical: Mapping[tuple[str, ...], Sequence[str]], others: Collection[str]
) -> Iterator[AlikeGroup]:
    """Yield the groups that pairs connect, each with its maximum spanning tree (Kruskal)."""
    sets = DisjointSets(sorted({name for pair in pairs for name in (pair.one, pair.other)}))
    tree = [pair for pair in pairs if sets.join(pair.one, pair.other)]
    first = {name: names[0] for names in sets.all() for name in names}
    kept: dict[str, list[Pair]] = defaultdict(list)
    for pair in tree:
        kept[first[pair.one]].append(pair)
    files: dict[str, dict[str, None]] = defaultdict(dict)
    for names, same in identical.items():
        files[_common_group(names, first)].update(dict.fromkeys(same))
    made = []
    for members in sets.all():
        theirs = kept[members[0]]
        told = _describe(theirs, list(files[members[0]])) + _cut_off(len(theirs))
        made.append(AlikeGroup(_in_order(members, others), told, tuple(theirs[:_PAIRS])))
    yield from sorted(made, key=lambda group: (-group.pairs[0].share, group.names))


def _common_group(names: Iterable[str], first: Mapping[str, str]) -> str:
    """Return the first name of the group that holds all of these names; empty if no single group does."""
    found = {first.get(name, "") for name in names}
    return found.pop() if len(found) == 1 else ""


def _describe(pairs: Sequence[Pair], files: Sequence[str]) -> str:
    low, high = (round(100 * find(pair.share for pair in pairs)) for find in (min, max))
    share = f"{high} %" if low == high else f"{low} to {high} %"
    told = f"{share} of the smaller one's own code"
    return f"{told}; identical: {', '.join(files)}" if files else told


def _group_of_identical(names: tuple[str, ...], files: Sequence[str]) -> AlikeGroup:
    pairs = tuple(Pair(names[0], other, 1.0) for other in names[1 : _PAIRS + 1])
    return AlikeGroup(names, f"identical: {', '.join(files)}{_cut_off(len(names) - 1)}", pairs)


def _cut_off(count: int) -> str:
    """Say that not all pairs of a group are shown side by side."""
    return f"; {_PAIRS} of {count} pairs are side by side" if count > _PAIRS else ""


def _with_pages(alike: Alike, looks: Looks) -> Alike:
    """Name the page of each pair after what it shows, so that it is written once, and each group as well."""
    made_by = _made_by()

    def page(pair: Pair) -> Pair:
        one, other = (_digest(made_by, name, looks[name].code)[:16] for name in (pair.one, pair.other))
        return replace(pair, page=f"{FOLDER}/{one}-{other}.html")

    def seen(group: AlikeGroup) -> str:
        return _digest([(name, looks[name].code) for name in group.names])

    groups = (replace(group, seen=seen(group), pairs=tuple(map(page, group.pairs))) for group in alike.groups)
    return replace(alike, groups=tuple(groups))


def _made_by() -> str:
    """Return a digest of what comparisons and their pages are made by."""
    sources = shipped.digest("grader/batch/report", "grader/batch/job.py", "lab/render")
    return _digest(sources, maker(), can_compare())


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


Runs = Sequence[tuple[bool, str]]


@dataclass(frozen=True, slots=True)
class Beside:
    """One file of both submissions, as runs of lines that the other submission also has, or lacks."""

    path: str
    one: Runs
    other: Runs


def side_by_side(pair: Pair, one: bytes, other: bytes) -> str:
    """Return the page with the code of both, shared lines marked."""
    first, second = _files(one), _files(other)
    both = ["".join(files.values()) for files in (first, second)]
    marked = shared_lines(*both) if can_compare() else (frozenset[int](), frozenset[int]())
    runs = [dict(_runs(files, lines)) for files, lines in zip((first, second), marked, strict=True)]
    paths = list(dict.fromkeys((*first, *second)))
    return render(
        "pair.html.j2",
        one=pair.one,
        other=pair.other,
        files=[Beside(path, *(found.get(path, ()) for found in runs)) for path in paths],
        shown=visible,
    )


def _files(code: bytes) -> dict[str, str]:
    return {path: as_text(content) for path, content in files_in(code).items()}


def _runs(files: dict[str, str], shared: Collection[int]) -> Iterator[tuple[str, Runs]]:
    """Yield each file as runs of lines that are all shared, or all not."""
    number = 0
    for path, text in files.items():
        lines = text.splitlines(keepends=True)
        marked = [(number + place in shared, line) for place, line in enumerate(lines)]
        number += len(lines)
        runs = groupby(marked, key=lambda line: line[0])
        yield path, [(is_shared, "".join(line for _, line in run)) for is_shared, run in runs]


FILE: Final = ".alike.json"
FOLDER: Final = "alike"


@dataclass(frozen=True, slots=True)
class _Earlier:
    """Earlier work as it was when it was last read."""

    stamp: str = ""
    """A digest of the sizes and times of its files, and of what makes looks."""
    looks: dict[str, Look] = field(default_factory=dict)
    note: str = ""
    """Why it could not be compared."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """The last comparison, with a digest of all that was compared."""

    key: str = ""
    alike: Alike = Alike()
    earlier: _Earlier = _Earlier()


def find_similar(
    out: Path,
    journal: Journal,
    names: Collection[str],
    against: Path | None,
    tell: Callable[..., None] = lambda *_, **__: None,
) -> Alike:
    """Return the similar ones among submissions of a class, stored or recomputed.

    Their pages exist when this returns. ``tell`` gets the event "compare" with how many are compared if any
    have to be, and "page" with how many of how many pages are done.
    """
    stored = _load(out)
    looks = looks_of(journal, names, lambda: tell("compare", done=0, count=len(names)))
    earlier = _look_at_earlier(against, stored.earlier) if against else _Earlier()
    compared = [(name, look.code) for name, look in looks.items()]
    key = _digest(_made_by(), compared, earlier.stamp, earlier.note)
    pages = (out / pair.page for group in stored.alike.groups for pair in group.pairs)
    if stored.key == key and all(page.is_file() for page in pages):
        return stored.alike
    tell("compare", done=0, count=len(names))
    found = _with_pages(group_similar(looks, earlier.looks), {**looks, **earlier.looks})
    found = replace(found, note="; ".join(filter(None, (found.note, earlier.note))))

    def codes(wanted: Collection[str]) -> dict[str, bytes]:
        others = earlier_codes(against) if against and not looks.keys() >= set(wanted) else ()
        return dict(chain(journal.code([name for name in wanted if name in looks]), others))

    _write_pages(out, found, codes, tell)
    data = msgspec.to_builtins(_Stored(key, found, earlier))
    write_whole(out / FILE, json.dumps(data).encode())
    return found


def looks_of(
    journal: Journal, names: Iterable[str], begin: Callable[[], None] = lambda: None
) -> dict[str, Look]:
    """Return the looks of submissions; those that are not kept are made after ``begin``, and kept."""
    kept = journal.looks()
    found = {name: unpack(kept.get(name, b"")) for name in names}
    missing = [name for name, look in found.items() if look is None]
    made: dict[bytes, bytes] = {}
    if missing:
        begin()
    for name, code in journal.code(missing):
        packed = made.get(code) or made.setdefault(code, look_at(code))
        journal.keep_look(name, packed)
        found[name] = unpack(packed) or Look(hashlib.sha256(code).hexdigest())
    return {name: look for name, look in found.items() if look}


def _look_at_earlier(against: Path, known: _Earlier) -> _Earlier:
    """Return earlier work; it is read anew where a file of it has another size or time."""
    paths = sorted(files_below(against)) if against.is_dir() else [against]
    files = [(str(path), path.stat()) for path in paths if path.is_file()]
    stamp = _digest(
        maker(), str(against), [(name, found.st_size, found.st_mtime_ns) for name, found in files]
    )
    if known.stamp == stamp:
        return known
    try:
        codes = earlier_codes(against)
    except (GraderError, OSError) as error:
        return _Earlier(stamp, note=f"earlier work could not be compared: {error}")
    made = {code: look_at(code) for code in dict.fromkeys(code for _, code in codes)}
    return _Earlier(stamp, {name: look for name, code in codes if (look := unpack(made[code]))})


def _load(out: Path) -> _Stored:
    """Return the stored comparison; an empty one where there is none, or it is not as it was written."""
    try:
        return msgspec.convert(json.loads((out / FILE).read_bytes()), _Stored)
    except (OSError, ValueError, RecursionError):
        return _Stored()


def _write_pages(
    out: Path,
    alike: Alike,
    codes: Callable[[Collection[str]], Mapping[str, bytes]],
    tell: Callable[..., None],
) -> None:
    """Write the pages of pairs that are not there yet, and delete those of an earlier comparison."""
    folder = out / FOLDER
    pairs = {out / pair.page: pair for group in alike.groups for pair in group.pairs}
    missing = [(path, pair) for path, pair in pairs.items() if not path.is_file()]
    theirs = codes({name for _, pair in missing for name in (pair.one, pair.other)}) if missing else {}
    for number, (path, pair) in enumerate(missing):
        tell("page", done=number, count=len(missing))
        folder.mkdir(exist_ok=True)
        write_whole(path, side_by_side(pair, theirs[pair.one], theirs[pair.other]).encode())
    for path in folder.glob("*.html"):
        if path not in pairs:
            path.unlink()
