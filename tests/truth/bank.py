"""Submissions of which something is said: wrong work of the corpus, and what golden files are about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import yaml

from grader.course.course_folder import edited_files
from tests.golden.harness import HERE as GOLDEN
from tests.golden.inputs import build
from tests.submissions.loader import FILES, base, cases
from tests.truth import (
    of_causes,
    of_data,
    of_luck,
    of_mazes,
    of_objects,
    of_places,
    of_scripts,
    of_slips,
    of_stories,
    of_visits,
)
from tests.truth.said import TRUE, Said, said_of

CHECKS = (
    of_causes,
    of_data,
    of_luck,
    of_mazes,
    of_objects,
    of_places,
    of_scripts,
    of_slips,
    of_stories,
    of_visits,
)
"""Hold the functions that tell whether a sentence is so."""
WORDS = GOLDEN / "given" / "words"
"""Files that stand in for the one of the same exercise in right work, and edits that make others."""
SEED = 69
LEFT_OUT: dict[str, str] = {
    "dfs-lowers-the-recursion-limit": "it lowers the limit of the process that tests",
}
"""Submissions that are not for this process, and why."""


class Work(NamedTuple):
    """A submission, and the exercises that are wrong in it."""

    name: str
    files: dict[str, bytes]
    exercises: tuple[str, ...]


@cache
def corpus() -> list[Work]:
    """Return wrong work of the corpus in which no clock ends anything."""
    found = [case for case in cases("wrong") if not case.expectation.slow and case.name not in LEFT_OUT]
    return [Work(case.name, case.files(), tuple(case.expectation.exercises)) for case in found]


def share(part: float) -> list[Work]:
    """Return a part of the corpus, drawn by lot."""
    return Random(SEED).sample(corpus(), round(part * len(corpus())))


@cache
def words() -> list[Work]:
    """Return right work with one file in the place of its own."""
    wrong = {path.stem: path.read_bytes() for path in WORDS.glob("*.py")} | edited_files(WORDS)
    return [
        Work(name, {**base(), FILES[exercise]: content}, (exercise,))
        for name, content in sorted(wrong.items())
        for exercise in (name.partition("_")[0],)
    ]


@cache
def stories() -> list[Work]:
    """Return the submissions of the golden stories."""
    found = []
    for path in sorted(GOLDEN.glob("stories/*/input.yaml")):
        settings: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
        with TemporaryDirectory() as folder:
            build(settings, Path(folder))
            found += [*_handed_in(path.parent.name, Path(folder))]
    return found


def _handed_in(name: str, folder: Path) -> Iterator[Work]:
    for place in sorted({*folder.glob("class/*"), *folder.glob("submission")}):
        files = {
            path.relative_to(place).as_posix(): path.read_bytes()
            for path in place.rglob("*")
            if path.is_file()
        }
        exercises = tuple(id_ for id_, file in FILES.items() if file in files)
        if exercises:
            yield Work(f"{name}/{place.name}", {**base(), **files}, exercises)


class Sums(NamedTuple):
    """How many sentences were held against a record, by key, and those that are not so."""

    held: Counter[str]
    untrue: list[str]


def held_against_records(works: Iterable[Work], *, with_places: bool) -> Sums:
    """Hold all that is said of some submissions against the second records of the calls."""
    sums = Sums(Counter(), [])
    for work in works:
        for said, about in said_of(work.name, work.files, work.exercises, with_places=with_places):
            check = TRUE.get(said.key)
            if check is not None:
                sums.held[said.key] += 1
                try:
                    why = "" if check(said, about.record, about) else "not so"
                except Exception as error:  # noqa: BLE001 - it is told with the sentence
                    why = repr(error)
                if why:
                    sums.untrue.append(f"{work.name}: {why}: {_words(said)} (in {about.call.id!r})")
    return sums


def _words(said: Said) -> str:
    place = f"{said.file}, line {said.line}: " if said.line else ""
    return f"{place}{said.key} {dict(said.values)} beside {dict(said.shown)}"
