"""Groups of similar submissions, and a page for each pair of them.

Similarity proves nothing: small exercises have few right answers, so a person has to look.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import chain, groupby
from pathlib import Path
from typing import Any, Final

from grader.batch.job import as_text, files_in
from grader.batch.report import render
from grader.batch.report.similarity import (
    HOW_TO_GET,
    Codes,
    DisjointSets,
    Pair,
    all_given_code,
    can_compare,
    earlier_codes,
    pairs_of,
    shared_lines,
)
from grader.disk import write_whole
from grader.errors import GraderError
from grader.text import visible

SHOWN: Final = 50
"""How many groups are listed besides those with an identical file, the most similar first."""
_PAIRS: Final = 12
"""How many pairs of a group are listed, the most similar first."""
_OWN_LINES: Final = 15
"""A file with fewer lines of the student's own may be identical by chance."""

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


@dataclass(frozen=True, slots=True)
class Alike:
    """The groups of a class, with a note if a comparison was not possible."""

    groups: tuple[AlikeGroup, ...] = ()
    note: str = ""


def group_similar(codes: Codes, earlier: Codes = ()) -> Alike:
    """Group similar submissions of a class, and of the class and earlier work.

    Groups with copies that agree in every file come first, even if other members share only single files.
    """
    others = {name for name, _ in earlier}
    copies, identical = _identical(codes, earlier, others)
    pairs = pairs_of(codes, earlier) if can_compare() else []
    near = [
        group
        for number, group in enumerate(_groups(pairs, identical, others))
        if number < SHOWN or "identical" in group.text
    ]
    known = {name: group.names[0] for group in near for name in group.names}
    same = [
        _group_of_identical(names, files)
        for names, files in (copies | identical | copies).items()  # the order of the first
        if not _common_group(names, known)
    ]
    groups = sorted(
        (*near, *same), key=lambda group: not any(set(names) <= {*group.names} for names in copies)
    )
    return Alike(tuple(groups), "" if can_compare() else HOW_TO_GET)


def _identical(codes: Codes, earlier: Codes, others: Collection[str]) -> tuple[Files, Files]:
    """Return identical submissions, and single identical files, by the submissions that share them."""
    given = _lines_of(all_given_code())
    holders: dict[bytes, dict[str, str]] = defaultdict(dict)
    whole: dict[tuple[bytes, ...], dict[str, list[str]]] = defaultdict(dict)
    for name, code in chain(codes, earlier):
        digests: set[bytes] = set()
        own: list[str] = []
        for file, content in files_in(code).items():
            lines = [line for line in as_text(content).splitlines() if line]
            digest = hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).digest()
            digests.add(digest)
            if len([line for line in lines if line.strip() not in given]) >= _OWN_LINES:
                holders[digest].setdefault(name, file)
                own.append(file or "all code")
        if own:
            whole[tuple(sorted(digests))][name] = own
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for held in holders.values():
        names = _in_order(held, others)
        if len(names) > 1 and names[0] not in others:
            found[names].append(held[names[0]] or "all code")
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
        made.append(
            AlikeGroup(
                _in_order(members, others), _describe(theirs, list(files[members[0]])), tuple(theirs[:_PAIRS])
            )
        )
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
    return AlikeGroup(names, f"identical: {', '.join(files)}", pairs)


def with_pages(alike: Alike, name: str) -> Alike:
    """Give each pair a page name, counted from 1."""
    numbers = iter(range(1, 1 + sum(len(group.pairs) for group in alike.groups)))
    groups = tuple(
        replace(group, pairs=tuple(replace(pair, page=name.format(next(numbers))) for pair in group.pairs))
        for group in alike.groups
    )
    return replace(alike, groups=groups)


@cache
def _lines_of(codes: tuple[bytes, ...]) -> frozenset[str]:
    return frozenset(line.strip() for code in codes for line in as_text(code).splitlines())


Runs = Sequence[tuple[bool, str]]


@dataclass(frozen=True, slots=True)
class Beside:
    """One file of both submissions, as runs of lines that the other submission also has, or lacks."""

    path: str
    one: Runs
    other: Runs


def side_by_side(pair: Pair, how: str, one: bytes, other: bytes) -> str:
    """Return the page with the code of both, shared lines marked; ``how`` says how similar they are."""
    first, second = _files(one), _files(other)
    both = ["".join(files.values()) for files in (first, second)]
    marked = shared_lines(*both) if can_compare() else (frozenset[int](), frozenset[int]())
    runs = [dict(_runs(files, lines)) for files, lines in zip((first, second), marked, strict=True)]
    paths = list(dict.fromkeys((*first, *second)))
    return render(
        "pair.html.j2",
        one=pair.one,
        other=pair.other,
        how=how,
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
_FORM: Final = 3
"""The version of the file and of the comparison; changing it discards what is stored."""


def find_similar(out: Path, codes: Codes, against: Path | None) -> Alike:
    """Return the similar submissions of a class, stored or recomputed.

    Their pages exist when this returns.
    """
    key = _key(codes, against)
    stored = _load(out, key)
    if stored is not None:
        return stored
    try:
        earlier, trouble = earlier_codes(against) if against else [], ""
    except (GraderError, OSError) as error:
        earlier, trouble = [], f"earlier work could not be compared: {error}"
    found = with_pages(group_similar(codes, earlier), f"{FOLDER}/{{}}.html")
    found = Alike(found.groups, "; ".join(filter(None, (found.note, trouble))))
    wanted = {name for group in found.groups for pair in group.pairs for name in (pair.one, pair.other)}
    _write_pages(out, found, {name: code for name, code in chain(codes, earlier) if name in wanted})
    write_whole(out / FILE, json.dumps({"key": key, "alike": asdict(found)}).encode())
    return found


def _key(codes: Codes, against: Path | None) -> str:
    """Return a digest of all that is compared; for earlier work, only of the sizes and times of its files."""
    digest = hashlib.sha256(f"{_FORM}|{can_compare()}|{against}".encode())
    for name, code in codes:
        digest.update(f"|{name}|{hashlib.sha256(code).hexdigest()}".encode("utf-8", "surrogatepass"))
    for path in sorted(against.rglob("*")) if against and against.is_dir() else filter(None, [against]):
        if path.is_file():
            found = path.stat()
            digest.update(f"|{path}|{found.st_size}|{found.st_mtime_ns}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _load(out: Path, key: str) -> Alike | None:
    """Return the stored comparison with this key if its pages are complete; else None."""
    try:
        data = json.loads((out / FILE).read_bytes())
        found = _alike(data["alike"]) if data["key"] == key else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    pairs = (pair for group in (found.groups if found else ()) for pair in group.pairs)
    return found if all((out / pair.page).is_file() for pair in pairs) else None


def _alike(data: dict[str, Any]) -> Alike:
    groups = (
        AlikeGroup(tuple(each["names"]), each["text"], tuple(Pair(**pair) for pair in each["pairs"]))
        for each in data["groups"]
    )
    return Alike(tuple(groups), data["note"])


def _write_pages(out: Path, alike: Alike, codes: dict[str, bytes]) -> None:
    """Write a page for each pair, and delete those of an earlier comparison."""
    folder, written = out / FOLDER, set()
    for group in alike.groups:
        for pair in group.pairs:
            folder.mkdir(exist_ok=True)
            page = side_by_side(pair, group.text, codes[pair.one], codes[pair.other])
            write_whole(out / pair.page, page.encode())
            written.add(out / pair.page)
    for path in folder.glob("*.html"):
        if path not in written:
            path.unlink()
