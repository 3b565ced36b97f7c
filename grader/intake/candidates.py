"""Decides which files may be meant for which exercise, by their names and by the classes that they define."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from grader.errors import GraderError
from grader.intake.attempt_names import is_newer, read_attempt_name
from grader.intake.names import version_key
from grader.intake.notebooks import SUFFIX
from grader.intake.python_source import Source, decode_source
from grader.shipped import template
from lab.exercises import EXERCISES, FILES, LAB_FILES, Exercise

EXACT, NAMED, ALIKE, DEFINES = range(4)
"""Ranks of a candidate, the surest first: it has the lab's path, the lab's name, nearly that name, or only
defines the class."""

_COPY_PREFIX: Final = re.compile(r"^(?:kopi(?:e)? (?:av|von)|copy (?:\d+ )?of|copie de|copia de) ")
_VERSION_SUFFIX: Final = re.compile(
    r"[\s_.-]*(?:\(\d+\)|v?\d+|[\s_-](?:copy|kopi|kopie|copia|copie|final|finished|new|ny|ferdig|done))$"
)
_TESTS: Final = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.py$")


@lru_cache(maxsize=1024)
def name_key(name: str) -> str:
    """Return a file's name without case, separators, and what copying appends or prepends."""
    text = _COPY_PREFIX.sub("", _stem(name))
    while (shorter := _VERSION_SUFFIX.sub("", text)) != text and shorter:
        text = shorter
    return _joined(text)


def _stem(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold().removesuffix(".txt").removesuffix(".py")


def _joined(text: str) -> str:
    return re.sub(r"[\s_-]", "", text)


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


@dataclass(frozen=True, slots=True)
class Choice:
    """The file that is graded for an exercise, and the paths of others that could have been meant."""

    source: Source
    rivals: tuple[str, ...]


def choose(exercise: Exercise, sources: Iterable[Source]) -> Choice | None:
    """Choose the file that is meant for an exercise; None if none of the sources is.

    Files that Python can parse are preferred. Of files that differ in their version only, the one without a
    version is chosen, and otherwise the latest.
    """
    ranked = [(rank, each) for each in sources if (rank := _rank(each, exercise)) is not None]
    ranked = [(rank, each) for rank, each in ranked if not is_template(each.content, exercise)]
    defining = [(rank, each) for rank, each in ranked if each.may_bind(exercise.name)]
    found = sorted(
        defining or [(rank, each) for rank, each in ranked if rank != DEFINES],
        key=lambda pair: (pair[1].tree is None, pair[0], pair[1].path.count("/"), pair[1].path),
    )
    if not found:
        return None
    best, first = found[0]
    chosen = _latest([each for rank, each in found if rank == best], first)
    alike = [each for rank, each in found if rank <= max(best, ALIKE) and not _is_slip_of(each, chosen)]
    rivals = {comparable_content(each.content): each.name for each in reversed(alike)}
    rivals.pop(comparable_content(chosen.content))
    return Choice(chosen, tuple(sorted(rivals.values())))


def _latest(sources: Iterable[Source], first: Source) -> Source:
    """Return, of the sources that are versions of the first, the newest that their names tell: as attempts,
    or else the one without a version number, or else the latest."""
    rivals = [each for each in sources if (each.tree is None) == (first.tree is None)]
    best = first
    for each in rivals:
        best = each if _is_newer(each, best) else best
    if best is not first:
        return best
    versions = [each for each in rivals if _name_and_version(each)[0] == _name_and_version(first)[0]]
    return max(versions, key=lambda each: _name_and_version(each)[1:])


def _is_newer(one: Source, other: Source) -> bool:
    """Tell whether the names of two files say that the first is a newer version of the second."""
    name, than = (read_attempt_name(each.path.rpartition("/")[2]) for each in (one, other))
    is_told = name.state != than.state or (name.is_marked and than.is_marked)
    return name.stem == than.stem and is_told and is_newer(name, than)


def _is_slip_of(source: Source, chosen: Source) -> bool:
    """Tell whether this is an earlier attempt from the notebook of the chosen source that does not parse."""
    return source.tree is None and source is not chosen and source.name == chosen.name


def _name_and_version(source: Source) -> tuple[str, bool, tuple[bool, list[int], str]]:
    """Return a file's name without its version, whether it has no version, and the version."""
    name = source.path.rsplit("/", 1)[-1].removesuffix(SUFFIX)
    key = name_key(name)
    return key, _joined(_stem(name)) == key, version_key(name)


def _rank(source: Source, exercise: Exercise) -> int | None:
    if f"/{source.path}".endswith(f"/{exercise.file}"):
        return EXACT
    name = source.path.rsplit("/", 1)[-1]
    if name == f"{exercise.stem}.py":
        return NAMED
    if exercise_named_like(name) is exercise:
        return ALIKE
    defines = exercise.name in source.classes and not is_test(source.path)
    return DEFINES if defines else None


def is_test(path: str) -> bool:
    """Tell whether a Python file is called as one of tests."""
    return _TESTS.search(path) is not None


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
    try:
        return dict(zip(LAB_FILES, map(comparable_content, template()), strict=True))
    except GraderError:
        return {}


def is_settled(files: Mapping[str, bytes], exercise: Exercise) -> bool:
    """Tell whether the file of an exercise is present, was worked on, and seems to define the exercise's
    class."""
    content = files.get(exercise.file)
    if content is None or is_template(content, exercise):
        return False
    if re.search(rb"^class\s+%s\b" % exercise.name.encode(), content, re.MULTILINE):
        return True  # as in nearly all files: they need not be parsed
    return Source(exercise.file, content).may_bind(exercise.name)


def unsettled_exercises(files: Mapping[str, bytes]) -> Collection[Exercise]:
    """Return the exercises whose files are missing, unchanged from the template, or define something else."""
    return [exercise for exercise in EXERCISES if not is_settled(files, exercise)]
