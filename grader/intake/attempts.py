"""Keeps the files of several attempts apart that lie in one submission.

Students hand in again, and what they handed in before stays beside it: in folders such as ``Version 2`` or
``draft``, in archives, in files that hold several exercises, or where the one attempt had a folder around it
and the other had none. All files that are graded come from one attempt, the newest where names tell it. Where
it is not clear which one counts, nothing is graded until a person has said so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Final

from grader.errors import Undecided
from grader.intake.attempt_names import TOP, AttemptName, is_newer, is_same_work, read_attempt_name
from grader.intake.candidates import comparable_content, exercise_named_like, is_template, is_test
from grader.intake.files import Entry, LeftOut, Sieve
from grader.intake.names import is_archive_name
from grader.intake.source_files import find_sources
from grader.languages import said
from grader.text import shown
from lab.exercises import EXERCISES, FILES, Exercise

_FOLDERS: Final = frozenset(file.split("/")[0] for file in FILES if "/" in file)
_LEAST_SHARED: Final = 2
"""Two sets of files are attempts if they share at least 2 exercises; one may be a copy that another needs."""

_MOST_ATTEMPTS: Final = 300
"""At most 300 folders or files side by side are compared, as many as files are examined."""

_MOST_NAMED: Final = 3
"""At most 3 exercises are named in a message."""

Works = Mapping[Exercise, bytes | str]
"""The exercises that were worked on in one place, with their contents in a form to compare."""


@dataclass(frozen=True)
class _Attempt:
    """What lies in a folder, an archive or a file beside others, and may be an attempt."""

    path: str
    """A folder ends with "/", and so does an archive that was opened; the top folder is ""."""
    name: AttemptName
    paths: Sequence[str]
    """Its files of code, and archives that were not opened."""
    works: Works

    @property
    def may_count(self) -> bool:
        """Whether it holds work, or is called an attempt and may hold some that was not found: it is no mere
        copy of the template."""
        is_unread = any(path.lower().endswith(".ipynb") or is_archive_name(path) for path in self.paths)
        may_hide_work = is_unread or not any(map(exercise_named_like, self.paths))
        return bool(self.works) or (self.name.is_marked and may_hide_work)

    @property
    def is_part(self) -> bool:
        """Whether it is called as a part of one work, or after an exercise."""
        return self.name.is_part or exercise_named_like(self.path.removesuffix("/")) is not None

    def holds(self, path: str) -> bool:
        """Tell whether a path is part of it; of what lies around other attempts, only the work is."""
        is_folder = self.path.endswith("/") and not self.name.is_top
        return path.startswith(self.path) if is_folder else path in self.paths


def keep_last(by_path: Mapping[str, Entry], sieve: Sieve, *, may_be_class: bool = False) -> dict[str, Entry]:
    """Return the entries without those of earlier attempts, with a note on which attempt is graded.

    Raises Undecided if the newest attempt lacks an exercise that lies in an earlier one, or if nothing tells
    which of several is the newest. With ``may_be_class``, folders that are not called as attempts may be
    those of several students, and are kept.
    """
    left = dict(by_path)
    aside: tuple[str, ...] = ("",) if may_be_class else ()
    levels = {around: names for around, names in _levels(by_path).items() if _may_be_several(names)}
    works = _works_by_path(by_path, sieve) if levels else {}
    for around, names in levels.items():
        for find in (_folders, _files):
            found = {name: [path for path in paths if path in left] for name, paths in names.items()}
            attempts = [each for each in find(around, found, works) if each.may_count][:_MOST_ATTEMPTS]
            dropped = _earlier(attempts, sieve)
            if dropped:
                left = {path: left[path] for path in left if not any(each.holds(path) for each in dropped)}
            kept = [each for each in attempts if each not in dropped and each.works]
            if find is _folders and not (aside and around.startswith(aside)):
                _check_is_clear(kept)
                if not all(each.name.is_aside for each in kept):
                    aside += tuple(each.path for each in kept if each.name.is_aside)
    return left


def _levels(paths: Iterable[str]) -> dict[str, dict[str, list[str]]]:
    """Return the code in each folder by the name below it, the outer folders first.

    Files of the folder itself, and those in the lab's own folders there, have the name "".
    """
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted(paths, key=lambda path: (path.count("/"), path)):
        *folders, name = path.split("/")
        if is_archive_name(name):
            found["".join(f"{part}/" for part in folders)][name].append(path)
        for depth, part in enumerate((*folders, "")) if _is_code(path) else ():
            is_of_the_lab = part.casefold() in _FOLDERS
            found["".join(f"{each}/" for each in folders[:depth])]["" if is_of_the_lab else part].append(path)
    return dict(sorted(found.items(), key=lambda level: (level[0].count("/"), level[0])))


def _is_code(path: str) -> bool:
    """Tell whether a path ends like that of a Python file or a notebook."""
    return path.lower().endswith((".py", ".py.txt", ".ipynb"))


def _may_be_several(names: Mapping[str, Sequence[str]]) -> bool:
    files = [path.rpartition("/")[2] for path in names.get("", ())]
    return len(names) > 1 or any(read_attempt_name(name).is_marked for name in files)


def _folders(around: str, names: Mapping[str, Sequence[str]], works: Mapping[str, Works]) -> list[_Attempt]:
    """Return the folders and archives that may be attempts, and the work that lies around them as another."""
    top = [path for path in names.get("", ()) if works.get(path)]
    own = _Attempt(around, TOP, top, _joined(top, works))
    found = []
    for name, paths in names.items():
        if name and paths:
            path = around + name if around + name in paths else f"{around}{name}/"
            found.append(_Attempt(path, read_attempt_name(name), paths, _joined(paths, works)))
    if around.removesuffix("/").rpartition("/")[2].casefold() in _FOLDERS:
        return [
            each for each in found if not each.works.keys() & own.works.keys()
        ]  # others are of single files
    return [own, *found] if top else found


def _files(around: str, names: Mapping[str, Sequence[str]], works: Mapping[str, Works]) -> list[_Attempt]:
    """Return the files in a folder that each hold several exercises."""
    return [
        _Attempt(path, read_attempt_name(path.removeprefix(around)), (path,), works[path])
        for path in names.get("", ())
        if len(works.get(path, ())) > 1 and exercise_named_like(path) is None
    ]


def _joined(paths: Iterable[str], works: Mapping[str, Works]) -> Works:
    """Return what was worked on in these files; of several files for an exercise, the first."""
    found: dict[Exercise, bytes | str] = {}
    for path in paths:
        found = {**works.get(path, {}), **found}
    return found


def _works_by_path(by_path: Mapping[str, Entry], sieve: Sieve) -> dict[str, dict[Exercise, bytes | str]]:
    """Return what was worked on in each file, by the names of files and of the classes in them."""
    found: dict[str, dict[Exercise, bytes | str]] = defaultdict(dict)
    for source in find_sources(
        by_path, Sieve(sieve.caps)
    ):  # what is said of them is said when they are graded
        named = exercise_named_like(source.path) if _is_code(source.path) else None
        defined = [each for each in EXERCISES if each.name in source.classes and not is_test(source.path)]
        for exercise in dict.fromkeys([*filter(None, [named]), *defined]):
            if not is_template(source.content, exercise):
                found[source.name].setdefault(exercise, comparable_content(source.content))
    return found


# --- which of them is the newest -----------------------------------------------------------------


def _earlier(attempts: Sequence[_Attempt], sieve: Sieve) -> list[_Attempt]:
    """Return the attempts of which a newer one lies beside them. Raises Undecided."""
    rivals = _rivals(attempts)
    newer = [(one, other) for one, other in rivals if is_newer(one.name, other.name)]
    dropped = [each for each in attempts if any(each is other for _, other in newer)]
    for one, other in rivals:
        differ = _differing(one.works, other.works)
        is_open = one not in dropped and other not in dropped and (differ or not (one.works and other.works))
        if is_open or len(dropped) == len(attempts):
            raise _undecided(
                (one.path, other.path),
                f"{_names(differ) or 'work'} in both, and nothing that tells the newer one",
            )
    for last in attempts:
        earlier = [other for one, other in newer if one is last]
        if last in dropped or not earlier:
            continue
        if lost := set().union(*(each.works for each in earlier)) - last.works.keys():
            raise _undecided(
                [each.path for each in (*earlier, last)], f"{_names(lost)} not in the last of them"
            )
        name = last.path.removesuffix("/").rpartition("/")[2]
        source = shown(name) if name else said("top_folder")
        sieve.note(said("intake_versions", count=len(earlier) + 1, source=source))
    return dropped


def _rivals(attempts: Sequence[_Attempt]) -> list[tuple[_Attempt, _Attempt]]:
    """Return the pairs, in both orders, of attempts of the same work, at least one of them called so.

    A lone exercise beside more is another version of one file. In a series of numbers or dates, one pair that
    does not complement each other shows that all of them are attempts; otherwise, they are parts.
    """
    series: dict[str, bool] = {}
    for each in attempts:
        if each.name.is_marked and each.name.stem not in series:
            alike = [
                other for other in attempts if other.name.is_marked and is_same_work(other.name, each.name)
            ]
            works = [other.works for other in alike if other.works]
            is_repeated = any(_is_repeated(one, other) for one, other in combinations(works, 2))
            series[each.name.stem] = bool(works) and (is_repeated or len(works) < len(alike))
    return [
        (one, other)
        for one, other in permutations(attempts, 2)
        if is_same_work(one.name, other.name)
        and (
            series[one.name.stem]
            if one.name.is_marked and other.name.is_marked
            else (one.name.is_marked and _is_attempt_of(one, other))
            or (other.name.is_marked and _is_attempt_of(other, one))
        )
    ]


def _is_attempt_of(marked: _Attempt, other: _Attempt) -> bool:
    is_lone = len(marked.works) == 1 < len(other.works)
    return _is_repeated(marked.works, other.works) and not is_lone


def _is_repeated(one: Works, other: Works) -> bool:
    """Tell whether two hold different work on an exercise, or one of them holds all that is in the other."""
    is_within = bool(one and other) and (one.keys() <= other.keys() or other.keys() <= one.keys())
    return is_within or bool(_differing(one, other))


def _check_is_clear(attempts: Iterable[_Attempt]) -> None:
    """Raise Undecided if two hold different work on the same exercises, and are neither parts nor trials."""
    for one, other in combinations([each for each in attempts if not each.name.is_aside], 2):
        if (one.is_part or other.is_part) and one.works.keys() != other.works.keys():
            continue
        differ = _differing(one.works, other.works)
        if differ and len(one.works.keys() & other.works.keys()) >= _LEAST_SHARED:
            raise _undecided((one.path, other.path), f"{_names(differ)} in both, and not the same")


def _differing(one: Works, other: Works) -> list[Exercise]:
    return [each for each in one.keys() & other.keys() if one[each] != other[each]]


def check_is_one_attempt(root: str, by_path: Mapping[str, Entry], sieve: Sieve) -> None:
    """Raise Undecided if the files at the root and those that were taken beside them are of several attempts.

    Two sets of files are attempts if they share exercises, and not all of them are the same.
    """
    used = sorted({root, *(_group(path) for path in sieve.taken if exercise_named_like(path))})
    if len(used) == 1:
        return
    groups: dict[str, list[str]] = defaultdict(list)
    for path in filter(_is_code, by_path):
        groups[_group(path)].append(path)
    works = {group: _works(groups[group], by_path, sieve) for group in used}
    for one, other in combinations(used, 2):
        differ = _differing(works[one], works[other])
        if differ and len(works[one].keys() & works[other].keys()) >= _LEAST_SHARED:
            raise _undecided([one, other], f"{_names(differ)} in both, and not the same")


def _group(path: str) -> str:
    """Return the folder that a file of the lab belongs to, as if it were the root of a submission."""
    *folders, _ = path.split("/")
    if folders and folders[-1].casefold() in _FOLDERS:
        folders.pop()
    return "".join(f"{part}/" for part in folders)


def _works(paths: Iterable[str], by_path: Mapping[str, Entry], sieve: Sieve) -> Works:
    """Return what was worked on in these files; of several files for an exercise, the first."""
    works: dict[Exercise, bytes | str] = {}
    for path in sorted(paths):
        exercise = exercise_named_like(path) if _is_code(path) else None
        if exercise is not None and exercise not in works:
            content = _content(path, by_path, sieve)
            if content is not None and not is_template(content, exercise):
                works[exercise] = comparable_content(content)
    return works


def _content(path: str, by_path: Mapping[str, Entry], sieve: Sieve) -> bytes | None:
    try:
        return sieve.read(by_path[path], sieve.caps.file_bytes)
    except LeftOut:
        return None


def _names(exercises: Iterable[Exercise]) -> str:
    names = sorted(each.file for each in exercises)
    return ", ".join([*names[:_MOST_NAMED], *(["…"] if len(names) > _MOST_NAMED else [])])


def _undecided(folders: Iterable[str], reason: str) -> Undecided:
    names = ", ".join(shown(folder) or "the top folder" for folder in folders)
    return Undecided(
        f"expected one attempt, found several ({names}) with {reason}: leave only the files of the attempt "
        "that counts, and give the same command again"
    )
