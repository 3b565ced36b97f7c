"""Tells a folder that holds the work of several students, such as a section of a class, from one student's.

In both there may be several submissions side by side. Those of one student complement each other, or have the
names of attempts and parts; those of students solve the same exercises, and are called as people are.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from grader.errors import InputError
from grader.intake.candidates import exercise_named_like, is_settled, name_key
from grader.intake.class_folder import (
    is_archive,
    list_folder,
    loose_files,
    recognise_platform,
    top_level_names,
)
from grader.intake.files import is_folder
from grader.intake.names import is_junk, submission_name
from grader.intake.submissions import read_submission
from lab.exercises import EXERCISES, Exercise

_SURE: Final = 8
"""From 8 submissions on, a folder is no student's, even if it lies among students."""
_FEW: Final = 3
"""Up to 3 submissions may be called alike by several students, as "working" and "broken" are."""
_MOST_EXAMINED: Final = 4
"""At most 4 submissions of a folder are read to compare their exercises."""
_MOST_FILES: Final = 500
"""At most 500 files of a folder are looked at to find one of the lab."""
_NO_NAMES: Final = re.compile(
    "(?:version|versjon|v|attempt|fors[øo]k|versuch|try|submissions?|innlevering|levering|abgabe|handin|lab|final|"
    "old|new|gammel|ny|alt|neu|first|second|last|f[øo]rste|andre|siste|erste|zweite|letzte|copy|kopie?|backup|"
    "draft|utkast|entwurf|part|del|teil|src|code|kode|solution|l[øo]sning|l[öo]sung|work|pro[sj]e[ck]t|maze|mazes|"
    "labyrinth|labyrint|tests?|template|student|kit|exercise|oppgave|aufgabe|solvers|generators|of|and|the)"
)
"""Attempts and parts of one student's work are called by these words."""
_DATE: Final = re.compile(r"(?:19|20)\d\d[-_. ]?\d\d[-_. ]?\d\d")
_STUDENT_NUMBER: Final = re.compile(r"\d{5,}")


def sections_among(paths: Sequence[Path]) -> dict[Path, list[Path]]:
    """Return what lies in each folder, of those that hold several students' work.

    A class has sections if all that lies in it are such folders. One among students is a student's with odd
    names, however many others are, and stays one row, unless it holds very many. Folders with few
    submissions, all called as in another folder, are students', too; more may be rounds of a class.
    """
    found = {path: _works(path) for path in paths}
    several = [path for path, (_, works) in found.items() if works]
    called = Counter(
        name for path in several for name in {name_key(submission_name(each)) for each in found[path][1]}
    )
    several = [
        path
        for path in several
        if len(found[path][1]) > _FEW
        or any(called[name_key(submission_name(each))] == 1 for each in found[path][1])
    ]
    are_all = len(several) == len(paths)
    return {path: found[path][0] for path in several if are_all or len(found[path][1]) >= _SURE}


def is_submission_by_itself(path: Path) -> bool:
    """Tell whether this is an archive, or a folder that holds an archive or a file of the lab."""
    if not is_folder(path) or path.is_symlink():
        return is_archive(path)
    found = (Path(folder, name) for folder, names in _walk(path) for name in names)
    return any(is_archive(each) or _is_of_the_lab(each) for each in islice(found, _MOST_FILES))


def _walk(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the folders below a path, without those that systems and tools leave behind, and their files."""
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(each for each in folders if not is_junk((each,)))
        yield folder, sorted(names)


def _is_of_the_lab(path: Path) -> bool:
    return path.suffix.lower() == ".py" and exercise_named_like(path.name) is not None


def _works(path: Path) -> tuple[list[Path], list[Path]]:
    """Return what lies in a folder, and what of it is each the work of a student, if there are several."""
    inside = (list_folder(path) or []) if is_folder(path) and not path.is_symlink() else []
    if len(inside) < 2 or loose_files(inside) or any(each.name in top_level_names() for each in inside):
        return inside, []
    platform, pieces, _ = recognise_platform(inside)
    if platform:
        students = {piece.id or piece.student: piece.path for piece in pieces}
        return inside, list(students.values()) if len(students) > 1 else []
    works = [each for each in inside if is_submission_by_itself(each)]
    names = {name_key(submission_name(each)) for each in works}
    is_one = all(name_key(path.name) in name for name in names)  # they are called after this student
    if len(names) < 2 or is_one or not all(map(_is_name, map(submission_name, works))):
        return inside, []
    return inside, works if _overlap([_exercises(each) for each in works[:_MOST_EXAMINED]]) else []


def _is_name(text: str) -> bool:
    """Tell whether a student may be called so; attempts and parts are called otherwise."""
    if _DATE.search(text):
        return False
    words = re.findall(r"[^\W\d_]+", text.casefold())
    is_spoken = any(
        not _NO_NAMES.fullmatch(word) and exercise_named_like(f"{word}.py") is None for word in words
    )
    return is_spoken or bool(_STUDENT_NUMBER.search(text))


def _exercises(path: Path) -> set[Exercise]:
    """Return the exercises that a submission solves; none if it cannot be read."""
    try:
        files = read_submission(path).files
    except InputError:
        return set()
    return {each for each in EXERCISES if is_settled(files, each)}


def _overlap(sets: Sequence[Collection[Exercise]]) -> bool:
    return len(set().union(*sets)) < sum(map(len, sets))
