"""Decides which files may be meant for which exercise, by their names and by the classes that they define."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import zip_longest
from typing import Final

from grader.intake.names import ARCHIVE_SUFFIXES, Source, decode_source
from grader.shipped import template
from lab.exercises import EXERCISES, FILES, LAB_FILES, Exercise

# --- versions ---------------------------------------------------------------------------------------
# Tells which of two names is the newer version: the one with the greater number at its end.
#
# Only what browsers, systems and students number counts: ``vN``, ``(N)`` or `` N`` at the end of names that
# are otherwise equal; a name without a number is the oldest. Nothing else in a name says what came last.

_NUMBERED: Final = re.compile(
    r"(?P<stem>.*?)(?:(?:^|[\s_-]+|(?<=[^\W_]))v(?P<v>\d{1,9})|\s*\((?P<copy>\d{1,9})\)|\s+(?P<n>\d{1,9}))",
    re.DOTALL,
)
_SUFFIXES: Final = (*ARCHIVE_SUFFIXES, ".py", ".ipynb", ".txt", ".json")


def version_of(name: str) -> tuple[str, int]:
    """Return the name of a file or folder without its number, in small letters, and the number; 0 for none.

    Suffixes of code and archives do not count.
    """
    text = unicodedata.normalize("NFC", name).casefold().rstrip()
    while suffix := next((each for each in _SUFFIXES if text.endswith(each)), ""):
        text = text.removesuffix(suffix)
    found = _NUMBERED.fullmatch(text)
    if found is None:
        return text, 0
    return found["stem"].rstrip(" _-"), int(found["v"] or found["copy"] or found["n"])


def is_newer(one: str, other: str) -> bool:
    """Tell whether the first of two paths is the newer version: where they part, its number is greater."""
    for name, than in zip_longest(one.split("/"), other.split("/"), fillvalue=""):
        if name != than:
            (stem, number), (other_stem, other_number) = version_of(name), version_of(than)
            return bool(name and than) and stem == other_stem and number > other_number
    return False


EXACT, NAMED, DEFINES = range(3)
"""How surely a file is meant for an exercise, the surest first."""

_TESTS: Final = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.py$")


@lru_cache(maxsize=1024)
def name_key(name: str) -> str:
    """Return a file's name without case, separators, its suffix, and the number of a version."""
    return re.sub(r"[\s_-]", "", version_of(name)[0])


def exercise_named_like(path: str) -> Exercise | None:
    """Return the exercise whose file has nearly this name; None if there is none."""
    key = name_key(path.rsplit("/", 1)[-1])
    return next((each for each in EXERCISES if name_key(each.stem) == key), None)


def lab_names() -> set[str]:
    """Return the names of the lab's files, without their folders."""
    return {file.rsplit("/", 1)[-1] for file in FILES}


def is_named_like_exercise(path: str) -> bool:
    """Tell whether this is a Python file with nearly the name of one of the lab's."""
    return path.lower().endswith((".py", ".py.txt")) and exercise_named_like(path) is not None


def rank_of(source: Source, exercise: Exercise) -> int | None:
    """Return how surely a file is meant for an exercise: it has the lab's path, or its name, in whatever
    case; or it defines the class, or has the name with a number. None if it is not meant."""
    *folders, name = source.path.casefold().split("/")
    if exercise_named_like(name) is exercise and (name.endswith((".py", ".txt")) or source.classes):
        package = exercise.file.casefold().split("/")[:-1]
        is_exact = folders[len(folders) - len(package) :] == package
        return DEFINES if version_of(name)[1] else EXACT if is_exact else NAMED
    is_test = _TESTS.search(source.path) is not None
    return DEFINES if exercise.name in source.classes and not is_test else None


def comparable_content(content: bytes) -> bytes | str:
    """Return the content in a form to compare copies in: without the differences that editors make at line
    ends."""
    text = decode_source(content)
    return content if text is None else "\n".join(map(str.rstrip, text.splitlines())).strip()


def is_template(content: bytes, exercise: Exercise) -> bool:
    """Tell whether a file is unchanged from what was handed out."""
    handed_out = (
        comparable_content(exercise.skeleton) if exercise.skeleton else _templates().get(exercise.file)
    )
    return comparable_content(content) == handed_out


@cache
def _templates() -> Mapping[str, bytes | str]:
    return dict(zip(LAB_FILES, map(comparable_content, template()), strict=True))
