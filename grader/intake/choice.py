"""Decides which attempt counts, and which file is meant for each exercise, or asks a person.

First, of what lies side by side under names that differ in a number only, the greatest number counts. Then
the files that remain are held against each other, exercise by exercise: a file at the lab's path goes before
one with the lab's name in the same folder, and both before one that merely defines the class. Equal contents
are one. Whatever else differs is undecided: the submission is not graded before a person has chosen. Against
the lab's own file that holds for what may be a whole attempt: a file of several exercises, or one with the
lab's name in another folder. Any other file for the exercise is named, and the lab's file is graded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from itertools import combinations, count
from typing import Final

from grader.errors import Candidate, InputError, Undecided
from grader.intake.candidates import DEFINES, comparable_content, is_newer, is_template, rank_of, version_of
from grader.intake.files import Entry
from grader.intake.names import Source, definitions_needed
from grader.languages import Message, said
from grader.text import shown
from lab.exercises import BY_NAME, EXERCISES, FILES, Exercise

_FOLDERS: Final = frozenset(file.split("/")[0] for file in FILES if "/" in file)
_LEAST_SHARED: Final = 2
"""Two folders are attempts if they differ in at least 2 exercises; in one, it is about its files."""
_MOST_NAMED: Final = 3
"""At most 3 files are named in a message."""
_TOP: Final = "./"
"""A candidate of this name is what lies in no folder."""


@dataclass(frozen=True)
class Work:
    """A file that was worked on, and the exercise that it may be meant for."""

    exercise: Exercise
    source: Source
    rank: int

    @property
    def path(self) -> str:
        """The path of the file that was handed in."""
        return self.source.name

    @cached_property
    def content(self) -> bytes | str:
        """What is in it, in a form to compare."""
        return comparable_content(self.source.content)

    @cached_property
    def meaning(self) -> bytes | str | list[tuple[str, str]]:
        """What its class is made of, without comments: all of its content where that is not known."""
        tree, name = self.source.tree, self.exercise.name
        if tree is None or name not in self.source.classes:
            return self.content
        try:
            return sorted(definitions_needed(tree, name, without=BY_NAME))
        except RecursionError:
            return self.content


@dataclass(frozen=True)
class Decided:
    """What counts."""

    works: Mapping[Exercise, Work]
    """The file that is meant for each exercise, of those that were worked on."""
    dropped: frozenset[str] = frozenset()
    """The paths of what does not count."""
    told: tuple[tuple[Message, str], ...] = ()
    """What a student is told of it, each with what it is about."""
    beside: tuple[Work, ...] = ()
    """The files that define an exercise as well, and differ from the one that counts."""


def find_works(sources: Iterable[Source]) -> list[Work]:
    """Return what was worked on; files without the class of an exercise only where no other has it, and files
    as they were handed out only where nothing else is there for an exercise, in the folder of other work."""
    ranked = [(each, source, rank_of(source, each)) for source in sources for each in EXERCISES]
    found = [Work(each, source, rank) for each, source, rank in ranked if rank is not None]
    own = [each for each in found if not is_template(each.source.content, each.exercise)]
    written, folders = {each.exercise for each in own}, {root_of(each.path) for each in own}
    untouched = [
        each
        for each in found
        if each.exercise not in written
        and each.rank != DEFINES
        and (not folders or root_of(each.path) in folders)
    ]
    binding = {id(each) for each in own if each.source.may_bind(each.exercise.name)}
    bound = {each.exercise for each in own if id(each) in binding}
    kept = [each for each in own if id(each) in binding or each.exercise not in bound]
    parsed = {(each.path, each.exercise) for each in kept if each.source.tree is not None}
    slips = [each for each in kept if each.source.tree is None and (each.path, each.exercise) in parsed]
    return [*(each for each in kept if each not in slips), *untouched]


def decide(
    works: Sequence[Work],
    unread: Collection[str],
    entries: Mapping[str, Entry],
    chosen: Collection[str],
    attempts: Collection[str] = (),
) -> Decided:
    """Decide what counts; ``unread`` are the paths of archives and notebooks that could not be read,
    ``chosen`` the names of the candidates that a person took, and ``attempts`` the names of what is never
    graded together. Raises Undecided."""
    choose = partial(_choose, entries, chosen)
    left, told, losers = [*works], list[tuple[Message, str]](), list[str]()
    whole = {name: [work for work in works if _is_in(work.path, name)] for name in attempts}
    if len({frozenset(_contents(found).items()) for found in whole.values() if found}) > 1:
        last = choose({name: (found, [name]) for name, found in whole.items() if found})
        losers += [name for name in attempts if name != last]
        left = whole[last]
    for names in _numbered([*(each.path for each in works), *unread]):
        last, count = _last_numbered(names, left, unread, choose)
        if last:
            told.append((said("intake_versions", count=count, source=shown(last.rstrip("/"))), shown(last)))
            losers += [name for name in names if name != last]
            left = [each for each in left if not _is_in_any(each.path, losers)]
    best, others = _meant(left, choose)
    kept = {each.path for each in best.values()}
    gone = {path for path in entries if _is_in_any(path, [*losers, *others])} - kept
    left = [each for each in left if each.path not in gone and each.exercise in best]
    beside = [each for each in left if _differs(each, best[each.exercise])]
    return Decided(best, frozenset(gone), tuple(told), tuple(beside))


def _last_numbered(
    names: Sequence[str], works: Sequence[Work], unread: Collection[str], choose: _Choose
) -> tuple[str, int]:
    """Return which of several numbered names counts, and how many there are; "" if all may count.

    Raises Undecided if the last cannot be read, or lacks an exercise that is in an earlier one.
    """
    found = {name: [each for each in works if _is_in(each.path, name)] for name in names}
    missed = {name for name in names if not found[name] and any(_is_in(path, name) for path in unread)}
    found = {name: each for name, each in found.items() if each or name in missed}
    differ = any(_differing(one, other) for one, other in combinations(found.values(), 2))
    plain = {name: name.removesuffix("/") for name in found}
    last = next(
        (one for one in found if all(is_newer(plain[one], plain[other]) for other in found if other != one)),
        None,
    )
    if last is None or len(found) == 1 or not (differ or missed):
        return "", 0
    earlier = {each.exercise for name in found for each in found[name]}
    if last in missed or earlier - {each.exercise for each in found[last]}:
        last = choose({name: (each, [name]) for name, each in found.items()})
    return last, len(found)


def _meant(works: Sequence[Work], choose: _Choose) -> tuple[dict[Exercise, Work], list[str]]:
    """Return the file that is meant for each exercise, and the names of the candidates that are not."""
    losers = list[str]()
    while True:
        rivals = {each: _rivals(each, works) for each in EXERCISES}
        contested = {each: found for each, found in rivals.items() if len({w.content for w in found}) > 1}
        if not contested:
            return {each: found[0] for each, found in rivals.items() if found}, losers
        candidates = _candidates(contested, works)
        winner = choose(candidates)
        held = {work.exercise for work in candidates[winner][0]}
        kept = {work.path for work in candidates[winner][0]}
        spare = {each.path for each in works} - {each.path for each in works if each.exercise in held}
        spare = spare if winner in kept else set()  # files beside one file supply what that lacks
        reached = (path for name, (_, reach) in candidates.items() if name != winner for path in reach)
        gone = [path for path in reached if path not in spare]
        losers += gone
        works = [work for work in works if work.path in kept or not _is_in_any(work.path, gone)]


_Candidates = dict[str, tuple[list[Work], list[str]]]
"""By name, what was worked on in each candidate, and the files and folders that go if another counts."""
_Choose = Callable[[_Candidates], str]
"""Returns which of them counts, by name. Raises Undecided."""


def _candidates(contested: Mapping[Exercise, Sequence[Work]], works: Sequence[Work]) -> _Candidates:
    """Return what a person has to choose from: whole attempts, or files for one exercise."""
    groups = sorted({_group(work, works) for found in contested.values() for work in found})
    whole = {group: [work for work in works if _group(work, works) == group] for group in groups}
    if any(len(_differing(*pair)) >= _LEAST_SHARED for pair in combinations(whole.values(), 2)):
        around = {one for one in groups for other in groups if one != other and other.startswith(one)}
        return {
            group or _TOP: (found, [work.path for work in found] if group in around else [group])
            for group, found in whole.items()
        }
    found = next(iter(contested.values()))
    return {work.path: ([work], [work.path]) for work in found}


def _rivals(exercise: Exercise, all_works: Sequence[Work]) -> list[Work]:
    """Return the files that may be meant for one exercise, the surest first: those of the best rank in each
    folder, and those that merely define the class where there are no others; then what may be a whole attempt
    beside them, and differs."""
    works = [work for work in all_works if work.exercise is exercise]
    best: dict[str, int] = {}
    for work in works:
        folder = root_of(work.path)
        best[folder] = min(work.rank, best.get(folder, work.rank))
    found = [work for work in works if work.rank == best[root_of(work.path)]]
    sure = [work for work in found if work.rank != DEFINES]
    rivals = sorted(sure or found, key=lambda work: (work.rank, work.path.count("/"), work.path))
    more = [work for work in works if work not in rivals and _may_be_attempt(work, all_works)]
    return [*rivals, *(work for work in more if _differs(work, rivals[0]))]


def _may_be_attempt(work: Work, works: Sequence[Work]) -> bool:
    """Tell whether a file that is not the surest may be of another attempt: one of several exercises that is
    called as none, or one with the lab's name."""
    return work.rank != DEFINES or _is_whole(work, works)


def _differs(work: Work, counts: Work) -> bool:
    """Tell whether a file would be graded as anything else than the one that counts."""
    return work.path != counts.path and work.content != counts.content and work.meaning != counts.meaning


def _group(work: Work, works: Sequence[Work]) -> str:
    """Return what a file belongs to: the folder that would be the root of a submission, or the file itself
    if it holds several exercises and is called as none."""
    return work.path if _is_whole(work, works) else root_of(work.path)


def _is_whole(work: Work, works: Sequence[Work]) -> bool:
    """Tell whether a file holds several exercises and is called as none."""
    own = [each for each in works if each.path == work.path]
    return len(own) > 1 and all(each.rank == DEFINES for each in own)


def root_of(path: str) -> str:
    """Return the folder around a file, and around the lab's folder in which it lies."""
    *folders, _ = path.split("/")
    if folders and folders[-1].casefold() in _FOLDERS:
        folders.pop()
    return "".join(f"{part}/" for part in folders)


def labs_side_by_side(works: Sequence[Work], *, least: int = 1) -> list[str]:
    """Return the paths at which whole submissions, of at least so many exercises, lie as those of a class."""
    whole: dict[str, list[Work]] = defaultdict(list)
    for work in works:
        whole[_group(work, works)].append(work)
    held = {name: {work.exercise for work in found} for name, found in whole.items()}
    pairs = [
        (one, other)
        for one, other in combinations(sorted(whole), 2)
        if len(held[one] & held[other]) >= max(least, min(_LEAST_SHARED, len(held[one]), len(held[other])))
        and (least == 1 or _differing(whole[one], whole[other]))
        and not (is_newer(one, other) or is_newer(other, one))
        and not any(one.startswith(top) and other.startswith(top) for top in whole)
    ]
    return sorted({_parting(*pair) for one, other in pairs for pair in ((one, other), (other, one))})


def _parting(path: str, other: str) -> str:
    """Return a path as far as the part in which it differs from another one."""
    parts, others = path.split("/"), other.split("/")
    common = next(n for n in count() if parts[: n + 1] != others[: n + 1])
    return "/".join(parts[: common + 1])


def check_is_one_student(works: Sequence[Work]) -> None:
    """Raise InputError if whole submissions lie side by side, as in a class."""
    named = {path.rpartition("/")[2] for path in labs_side_by_side(works)}
    if named:
        some = ", ".join(
            [*map(shown, sorted(named)[:_MOST_NAMED]), *(["…"] if len(named) > _MOST_NAMED else [])]
        )
        raise InputError(
            f"expected one submission, found {len(named)} ({some}): use grader batch for a class, or "
            "name one of them"
        )


# --- numbered names ------------------------------------------------------------------------------


def _numbered(paths: Iterable[str]) -> list[list[str]]:
    """Return the folders and files side by side whose names differ in a number only, the outer ones first;
    a folder ends with "/"."""
    alike: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path in paths:
        parts = path.split("/")
        for depth, part in enumerate(parts):
            around = "".join(f"{each}/" for each in parts[:depth])
            alike[around, version_of(part)[0]].add(around + part + "/" * (depth < len(parts) - 1))
    found = sorted(alike.items(), key=lambda each: (each[0][0].count("/"), each[0]))
    return [sorted(names) for _, names in found if len(names) > 1]


def _is_in(path: str, name: str) -> bool:
    return path == name or (name.endswith("/") and path.startswith(name))


def _is_in_any(path: str, names: Iterable[str]) -> bool:
    return any(_is_in(path, name) for name in names)


def _differing(one: Iterable[Work], other: Iterable[Work]) -> list[Exercise]:
    """Return the exercises on which both hold work, and not the same."""
    mine, theirs = _contents(one), _contents(other)
    return [each for each in EXERCISES if each in mine and each in theirs and mine[each] != theirs[each]]


def _contents(works: Iterable[Work]) -> dict[Exercise, bytes | str]:
    """Return the content that is the surest of each exercise."""
    ordered = sorted(works, key=lambda work: (-work.rank, work.path))
    return {work.exercise: work.content for work in ordered}


# --- what a person decides -----------------------------------------------------------------------


def _choose(entries: Mapping[str, Entry], chosen: Collection[str], candidates: _Candidates) -> str:
    """Return the name of the one that a person chose. Raises Undecided."""
    taken = [name for name in candidates if name in chosen]
    if len(taken) == 1:
        return taken[0]
    names = [shown(name) for name in candidates]
    more = ", …" if len(names) > _MOST_NAMED else ""
    raise Undecided(
        f"found {len(names)} that may count ({', '.join(names[:_MOST_NAMED])}{more}), and not the same",
        candidates=[_candidate(name, works, entries) for name, (works, _) in candidates.items()],
    )


def _candidate(name: str, works: Iterable[Work], entries: Mapping[str, Entry]) -> Candidate:
    ordered = sorted(works, key=lambda work: -work.rank)
    files = {work.exercise.file: sha256(work.source.content).hexdigest() for work in ordered}
    paths = [work.path for work in ordered] or [path for path in entries if _is_in(path, name)]
    times = [time for path in paths if path in entries and (time := entries[path].modified)]
    return Candidate(name, max(times, default=None), dict(sorted(files.items())))
