"""Keeps the files of several attempts apart that lie in one submission.

Students hand in again, and what they handed in before stays beside it: in folders such as ``Version 2``, or
where the one attempt had a folder around it and the other had none. All files that are graded come from one
attempt. Where it is not clear which one counts, nothing is graded until a person has said so.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

from grader.errors import Undecided
from grader.intake.candidates import comparable_content, exercise_named_like, is_template
from grader.intake.files import Entry, LeftOut, Sieve
from grader.languages import said
from grader.text import shown
from lab.exercises import FILES, Exercise

_ATTEMPT: Final = re.compile(
    r"(?P<word>version|versjon|v|attempt|fors[øo]k|versuch|try|submission|innlevering|abgabe)"
    r"[ _.-]*(?P<number>\d{1,6})",
    re.IGNORECASE,
)
_FOLDERS: Final = frozenset(file.split("/")[0] for file in FILES if "/" in file)
_LEAST_SHARED: Final = 2
"""Two sets of files are attempts if they share at least 2 exercises; one may be a copy that another needs."""

Works = Mapping[Exercise, bytes | str]
"""The exercises that were worked on in one folder, with their contents in a form to compare."""


def keep_last(by_path: Mapping[str, Entry], sieve: Sieve) -> dict[str, Entry]:
    """Return the entries without those of earlier attempts, with a note on which attempt is graded.

    Raises Undecided if the last attempt lacks an exercise that lies in an earlier one.
    """
    kept = dict(by_path)
    for folders in _numbered_folders(by_path):
        works = {folder: _works(filter(_below(folder), by_path), by_path, sieve) for folder in folders}
        attempts = [each for each in folders if works[each] or not _is_handed_out(each, by_path)]
        if len(attempts) < 2 or _complement_each_other([works[each] for each in attempts]):
            continue
        *earlier, last = attempts
        around = last[: last.removesuffix("/").rfind("/") + 1]
        beside = [path for path in by_path if path.startswith(around) and not path.startswith(tuple(folders))]
        if _works(beside, by_path, sieve):  # the work lies there; these are parts of it, or earlier ones
            continue
        before = set().union(*(works[folder] for folder in earlier))
        if lost := before - works[last].keys():
            raise _undecided(attempts, f"{_names(lost)} not in the last of them")
        kept = {path: entry for path, entry in kept.items() if not path.startswith(tuple(earlier))}
        name = last.removesuffix("/").rpartition("/")[2]
        sieve.note(said("intake_versions", count=len(attempts), source=shown(name)))
    return kept


def _below(folder: str) -> Callable[[str], bool]:
    return lambda path: path.startswith(folder)


def _is_handed_out(folder: str, paths: Iterable[str]) -> bool:
    """Tell whether a folder without work on an exercise is a copy of the template, without notebooks."""
    code = [path for path in filter(_below(folder), paths) if _is_code(path)]
    return any(map(exercise_named_like, code)) and not any(path.lower().endswith(".ipynb") for path in code)


def _complement_each_other(works: Sequence[Works]) -> bool:
    """Tell whether no two folders hold work on the same exercise: they are parts of one attempt."""
    exercises = [exercise for each in works for exercise in each]
    return all(works) and len(exercises) == len(set(exercises))


def _numbered_folders(paths: Iterable[str]) -> list[list[str]]:
    """Return the folders that are called as attempts and hold code, by the folder around them, in order."""
    found: dict[str, dict[int, str]] = defaultdict(dict)
    for path in filter(_is_code, paths):
        folders = path.split("/")[:-1]
        for depth, folder in enumerate(folders):
            attempt = _ATTEMPT.fullmatch(folder)
            if attempt:
                around = "".join(f"{part}/" for part in folders[:depth])
                key = f"{around}{attempt['word'].casefold()}"
                found[key].setdefault(int(attempt["number"]), f"{around}{folder}/")
                break
    return [[folder for _, folder in sorted(each.items())] for each in found.values() if len(each) > 1]


def _is_code(path: str) -> bool:
    """Tell whether a path ends like that of a Python file or a notebook."""
    return path.lower().endswith((".py", ".py.txt", ".ipynb"))


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
        shared = works[one].keys() & works[other].keys()
        differ = [each for each in shared if works[one][each] != works[other][each]]
        if len(shared) >= _LEAST_SHARED and differ:
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
    return ", ".join(sorted(each.file for each in exercises))


def _undecided(folders: Iterable[str], reason: str) -> Undecided:
    names = ", ".join(shown(folder) or "the top folder" for folder in folders)
    return Undecided(
        f"expected one attempt, found several ({names}) with {reason}: leave only the files of the attempt "
        "that counts, and give the same command again"
    )
