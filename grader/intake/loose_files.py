"""The loose files of one student, as a platform hands them out: those of the lab in their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from grader.intake.candidates import choose, is_named, is_template, named_like
from grader.intake.caps import Caps
from grader.intake.class_listing import HandIn, of_several
from grader.intake.entries import Entry, Sieve, apart, read_file
from grader.intake.meant import ask, ask_about_twins
from grader.intake.names import is_archive_name, is_changed
from grader.intake.notes import Notes
from grader.intake.python_source import Source
from grader.intake.selection import content_of
from grader.model import Submission
from lab.exercises import EXERCISES, Exercise

_COPY: Final = re.compile(r"(-\d+| ?\(\d+\))(?=\.py$)")
"""What browsers and platforms add to the name of a file where there is one of that name."""


def latest(paths: Iterable[Path], labels: Iterable[str], sieve: Sieve) -> list[Entry]:
    """The files by what the student called them; of those of one name the last that somebody worked on."""
    entries: list[Entry] = []
    for path, label in zip(paths, labels, strict=True):
        clean = sieve.path(label)
        if clean is not None and is_archive_name(clean):
            sieve.refuse(clean, "archives inside of a submission are not read")
        elif clean is not None:
            entries.append(Entry(clean, partial(read_file, path, clean), is_changed(label, clean)))
    groups: dict[str, list[Entry]] = {}
    for entry in apart(entries):
        groups.setdefault(entry.path, []).append(entry)
    return [_last(group, sieve) for group in groups.values()]


def _last(group: Sequence[Entry], sieve: Sieve) -> Entry:
    exercise = named_like(group[0].path)
    if exercise is None or len(group) == 1:
        return group[-1]
    own = [each for each in group if not is_template(content_of(each, each.path, sieve) or b"", exercise)]
    return (own or group)[-1]


def in_places(entries: Iterable[Entry], sieve: Sieve) -> list[Entry]:
    """The files, those of the lab at their paths there, whatever copying has added to their names.

    Where several could be meant for one exercise, it is chosen as in any folder.
    """
    found = list(entries)
    for exercise in EXERCISES:
        alike = [each for each in found if is_named(each.path) and named_like(each.path) is exercise]
        meant = alike[0] if len(alike) == 1 else _meant(exercise, alike, sieve)
        if meant and _is_copy(meant.path, exercise):
            found[found.index(meant)] = replace(meant, path=exercise.file)
    return [replace(each, path=_as_imported(each, found)) for each in found]


def _as_imported(entry: Entry, entries: Sequence[Entry]) -> str:
    """The path of a helper without what copying has added to it, where there is one copy and nothing else."""
    name = _COPY.sub("", entry.path)
    alike = [each for each in entries if _COPY.sub("", each.path) == name]
    return name if len(alike) == 1 and not is_named(name) else entry.path


def _is_copy(path: str, exercise: Exercise) -> bool:
    return _COPY.sub("", path) == f"{exercise.stem}.py"


def _meant(exercise: Exercise, alike: Sequence[Entry], sieve: Sieve) -> Entry | None:
    """The file that is meant; None where it has to be looked for among all that came."""
    contents = {each: content_of(each, each.path, sieve) for each in alike}
    sources = [Source(each.path, content) for each, content in contents.items() if content is not None]
    choice = choose(exercise, sources)
    if choice is None:
        return min(alike, key=lambda each: len(each.path), default=None)
    if not _is_copy(choice.source.path, exercise) or not choice.source.may_bind(exercise.name):
        return None
    if choice.rivals:
        ask(exercise.file, choice.source.path, choice.rivals, sieve)
    return next(each for each in alike if each.path == choice.source.path)


def ask_about(hand_in: HandIn, read: Submission) -> Submission:
    """Ask a person where loose files are not what is graded from the archive beside which they lay."""
    sieve = Sieve(Caps(), Notes(), list(read.remarks))
    entries = latest(hand_in.sources[1:], hand_in.labels[1:], sieve)
    found = {each.path: content_of(each, each.path, sieve) for each in entries}
    others = {path: content for path, content in found.items() if content is not None}
    ask_about_twins(read.files, others, sieve)
    sieve.remarks.extend(of_several("".join(hand_in.labels[:1]), _missing(read, others)))
    return replace(read, remarks=tuple(sieve.remarks))


def _missing(read: Submission, others: dict[str, bytes]) -> list[str]:
    """Those that somebody worked on, of which the archive holds no version."""
    return [
        path
        for path, content in others.items()
        if (exercise := named_like(path))
        and exercise.file not in read.files
        and not is_template(content, exercise)
    ]
