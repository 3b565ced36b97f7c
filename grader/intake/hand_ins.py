"""Reads what one student handed in: a folder, an archive, or loose files from a platform.

Several archives may be one submission, each with files that the others lack; loose files are moved to their
places.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from grader.errors import Undecided, Unreached
from grader.intake.candidates import (
    choose,
    comparable_content,
    exercise_named_like,
    is_named_like_exercise,
    is_settled,
    is_template,
)
from grader.intake.class_listing import HandIn, ask_which_archive
from grader.intake.files import (
    NOT_REGULAR,
    Caps,
    Entry,
    Refusal,
    Sieve,
    number_duplicates,
    read_file,
    read_regular,
    unreached_error,
)
from grader.intake.names import is_archive_name, is_changed, is_code_name, safe_name
from grader.intake.python_source import Source
from grader.intake.selection import ask_about_twins, ask_which_file, read_entry, select
from grader.intake.submissions import make_submission, read_submission
from grader.languages import Message, said
from grader.model import Remark, Submission, note
from grader.text import shown
from lab.exercises import EXERCISES, FILES, Exercise


def read_hand_in(hand_in: HandIn, chosen: Collection[str] = ()) -> Submission:
    """Read a student's submission; an archive that is refused yields an empty one, with the reason.

    Raises Unreached where the disk, not the student, is at fault, and Undecided.
    """
    if hand_in.unclear:
        raise Undecided(hand_in.unclear)
    try:
        if hand_in.broken:
            raise Unreached(hand_in.broken)
        return _submission(hand_in, frozenset(chosen))
    except Undecided as error:
        reason = str(error).removeprefix(f"{error.path}: ")
        raise Undecided(reason, candidates=error.candidates) from None
    except Unreached as error:
        reason = str(error).removeprefix(f"{error.path}: ")  # without the path of this machine
        raise Unreached(reason) from None
    except Refusal as error:
        return nothing_read(hand_in, said("intake_unreadable", reason=error.reason))


def _submission(hand_in: HandIn, chosen: frozenset[str]) -> Submission:
    if not hand_in.sources:
        return nothing_read(hand_in, said("intake_nothing"))
    for source in hand_in.sources:
        _check_reach(source)
    lone = hand_in.sources[0]
    if hand_in.first_counts or (len(hand_in.sources) == 1 and (not hand_in.labels or not is_code_name(lone))):
        if lone.is_symlink():
            raise Refusal(said("left_link"))
        joined = _join_archives(hand_in.name, hand_in.archives, chosen)
        if joined is not None:
            return _ask_about_loose_files(
                hand_in, replace(joined, remarks=(*_notes(hand_in), *joined.remarks))
            )
        read = read_submission(lone, name=hand_in.name, label="".join(hand_in.labels[:1]), chosen=chosen)
        if len(hand_in.sources) > 1 and not any(file in read.files for file in FILES):
            return _submission(_without_first(hand_in), chosen)
        return _ask_about_loose_files(hand_in, replace(read, remarks=(*hand_in.remarks, *read.remarks)))
    sieve = Sieve(Caps(), chosen)
    entries = _move_to_lab_paths(_latest_files(hand_in.sources, hand_in.labels, sieve), sieve)
    return make_submission(hand_in.name, select(entries, sieve, are_loose=True), sieve, _notes(hand_in))


def _without_first(hand_in: HandIn) -> HandIn:
    """Return the hand-in with its loose files alone, beside an archive that holds nothing of the lab."""
    remark = note(said("intake_without", source=shown(hand_in.labels[0])))
    sources, labels = hand_in.sources[1:], hand_in.labels[1:]
    return replace(
        hand_in, sources=sources, labels=labels, first_counts=False, archives=(), remarks=(remark,)
    )


def nothing_read(hand_in: HandIn, why: Message) -> Submission:
    """Return a submission without files, and why that is."""
    return Submission(hand_in.name, {}, (*hand_in.remarks, note(why)))


def _notes(hand_in: HandIn) -> list[Remark]:
    return [remark for remark in hand_in.remarks if remark.kind == "note"]


def _check_reach(path: Path) -> None:
    """Raise Unreached if the machine cannot read the path."""
    try:
        if path.is_symlink():
            return
        if path.is_dir():
            next(path.iterdir(), None)
        else:
            read_regular(path, 1, follow=False)
    except OSError as error:
        if error.strerror != NOT_REGULAR:
            raise unreached_error(path.name, error) from None


# --- several archives ------------------------------------------------------------------------------

_MOST_ARCHIVES: Final = 8
"""At most 8 archives of a student are read together."""


def _join_archives(
    name: str, archives: Sequence[tuple[Path, str]], chosen: frozenset[str]
) -> Submission | None:
    """Read all archives as one submission; None if the last one is complete, or they contradict each
    other."""
    if not 1 < len(archives) <= _MOST_ARCHIVES:
        return None
    try:
        alone = [read_submission(path) for path, _ in archives]
    except Refusal:
        return None
    wholes = [{each for each in EXERCISES if is_settled(read.files, each)} for read in alone]
    if set().union(*wholes) <= wholes[-1] or _contradict(alone):
        return None
    sieve = Sieve(Caps(), chosen)
    called = [(path, sieve.clean(label) or safe_name(label)) for path, label in archives]
    entries = [Entry(name, partial(read_file, path, name)) for path, name in called]
    return make_submission(name, select(entries, sieve), sieve)


def _contradict(submissions: Sequence[Submission]) -> bool:
    """Tell whether two submissions hold different versions of a file, neither of them the template."""
    kept: dict[str, bytes | str] = {}
    for submission in submissions:
        for path, content in submission.files.items():
            exercise = next((each for each in EXERCISES if each.file == path), None)
            is_code = path.endswith(".py") and not (exercise and is_template(content, exercise))
            if is_code and kept.setdefault(path, comparable_content(content)) != comparable_content(content):
                return True
    return False


# --- loose files -----------------------------------------------------------------------------------

_COPY_SUFFIX: Final = re.compile(r"(-\d+| ?\(\d+\))(?=\.py$)")
"""Browsers and platforms append this to the name of a file if another file has that name."""


def _latest_files(paths: Iterable[Path], labels: Iterable[str], sieve: Sieve) -> list[Entry]:
    """Return the files under the student's names; of several with one name, the latest that was worked on."""
    entries: list[Entry] = []
    for path, label in zip(paths, labels, strict=True):
        clean = sieve.clean(label)
        if clean is not None and is_archive_name(clean):
            sieve.refuse(clean, said("left_inner_archive"))
        elif clean is not None:
            entries.append(Entry(clean, partial(read_file, path, clean), is_changed(label, clean)))
    groups: dict[str, list[Entry]] = {}
    for entry in number_duplicates(entries):
        groups.setdefault(entry.path, []).append(entry)
    return [_last_changed(group, sieve) for group in groups.values()]


def _last_changed(group: Sequence[Entry], sieve: Sieve) -> Entry:
    exercise = exercise_named_like(group[0].path)
    if exercise is None or len(group) == 1:
        return group[-1]
    own = [each for each in group if not is_template(read_entry(each, each.path, sieve) or b"", exercise)]
    return (own or group)[-1]


def _move_to_lab_paths(entries: Iterable[Entry], sieve: Sieve) -> list[Entry]:
    """Return the files, those of the lab at the lab's paths, whatever copying has appended to their names.

    Where several could be meant for one exercise, the choice is made as in any folder.
    """
    found = list(entries)
    for exercise in EXERCISES:
        alike = [
            each
            for each in found
            if is_named_like_exercise(each.path) and exercise_named_like(each.path) is exercise
        ]
        meant = alike[0] if len(alike) == 1 else _choose_copy(exercise, alike, sieve)
        if meant and _is_copy(meant.path, exercise):
            found[found.index(meant)] = replace(meant, path=exercise.file)
    return [replace(each, path=_name_as_imported(each, found)) for each in found]


def _name_as_imported(entry: Entry, entries: Sequence[Entry]) -> str:
    """Return a helper's path without what copying has appended, if there is exactly one copy of it."""
    name = _COPY_SUFFIX.sub("", entry.path)
    alike = [each for each in entries if _COPY_SUFFIX.sub("", each.path) == name]
    return name if len(alike) == 1 and not is_named_like_exercise(name) else entry.path


def _is_copy(path: str, exercise: Exercise) -> bool:
    return _COPY_SUFFIX.sub("", path) == f"{exercise.stem}.py"


def _choose_copy(exercise: Exercise, alike: Sequence[Entry], sieve: Sieve) -> Entry | None:
    """Return the file that is meant for the exercise; None if it must be searched for among all files."""
    contents = {each: read_entry(each, each.path, sieve) for each in alike}
    sources = [Source(each.path, content) for each, content in contents.items() if content is not None]
    choice = choose(exercise, sources)
    if choice is None:
        return min(alike, key=lambda each: len(each.path), default=None)
    if not _is_copy(choice.source.path, exercise) or not choice.source.may_bind(exercise.name):
        return None
    if choice.rivals:
        ask_which_file(exercise.file, choice.source.path, choice.rivals, sieve)
    return next(each for each in alike if each.path == choice.source.path)


def _ask_about_loose_files(hand_in: HandIn, read: Submission) -> Submission:
    """Add a question for a person where loose files differ from the graded ones in the archive beside
    them."""
    sieve = Sieve(Caps(), remarks=list(read.remarks))
    entries = _latest_files(hand_in.sources[1:], hand_in.labels[1:], sieve)
    found = {each.path: read_entry(each, each.path, sieve) for each in entries}
    others = {path: content for path, content in found.items() if content is not None}
    ask_about_twins(read.files, others, sieve)
    sieve.remarks.extend(ask_which_archive("".join(hand_in.labels[:1]), _missing_in_archive(read, others)))
    return replace(read, remarks=tuple(sieve.remarks))


def _missing_in_archive(read: Submission, others: dict[str, bytes]) -> list[str]:
    """Return the loose files that were worked on and of which the archive holds no version."""
    return [
        path
        for path, content in others.items()
        if (exercise := exercise_named_like(path))
        and exercise.file not in read.files
        and not is_template(content, exercise)
    ]
