"""Groups of similar submissions: those with an identical file, or that share most of their code.

Similarity proves nothing: small exercises have few right answers, so a person has to look.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Final

from grader.batch.job import files_in
from grader.batch.laid_out import as_text
from grader.batch.report.similarity import (
    HOW_TO_GET,
    Codes,
    DisjointSets,
    Pair,
    all_given_code,
    can_compare,
    pairs_of,
)

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
    for files in holders.values():
        names = _in_order(files, others)
        if len(names) > 1 and names[0] not in others:
            found[names].append(files[names[0]] or "all code")
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
        replace(
            group,
            pairs=tuple(replace(pair, page=name.format(next(numbers))) for pair in group.pairs),
        )
        for group in alike.groups
    )
    return replace(alike, groups=groups)


@cache
def _lines_of(codes: tuple[bytes, ...]) -> frozenset[str]:
    return frozenset(line.strip() for code in codes for line in as_text(code).splitlines())
