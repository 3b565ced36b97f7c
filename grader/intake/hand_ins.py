"""Reads what one student handed in: a folder, an archive, or loose files from a platform, which are read as
if they lay in one folder."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from grader.errors import Undecided, Unreached
from grader.intake.class_listing import HandIn
from grader.intake.files import (
    NOT_REGULAR,
    Caps,
    Entry,
    Refusal,
    Sieve,
    file_entry,
    folder_entries,
    is_folder,
    read_regular,
    unreached_error,
)
from grader.intake.names import is_archive_name, is_changed, is_code_name
from grader.intake.selection import select
from grader.intake.submissions import make_submission, read_submission
from grader.languages import Message, said
from grader.model import Submission, note


def read_hand_in(hand_in: HandIn, chosen: Collection[str] = ()) -> Submission:
    """Read a student's submission; an archive that is refused yields an empty one, with the reason.

    Of candidates that could count, the one is taken whose name is ``chosen``. Raises Undecided, and
    Unreached where the disk, not the student, is at fault.
    """
    if hand_in.unclear:
        raise Undecided(hand_in.unclear)
    try:
        if hand_in.broken:
            raise Unreached(hand_in.broken)
        return _submission(hand_in, chosen)
    except Undecided as error:
        reason = str(error).removeprefix(f"{error.path}: ")
        raise Undecided(reason, candidates=error.candidates) from None
    except Unreached as error:
        reason = str(error).removeprefix(f"{error.path}: ")  # without the path of this machine
        raise Unreached(reason) from None
    except Refusal as error:
        return nothing_read(hand_in, said("intake_unreadable", reason=error.reason))


def _submission(hand_in: HandIn, chosen: Collection[str]) -> Submission:
    if not hand_in.sources:
        return nothing_read(hand_in, said("intake_nothing"))
    for source in hand_in.sources:
        _check_reach(source)
    lone = hand_in.sources[0]
    if len(hand_in.sources) == 1 and not _is_loose_code(hand_in):
        if lone.is_symlink():
            raise Refusal(said("left_link"))
        label = "".join(hand_in.labels)
        read = read_submission(lone, name=hand_in.name, label=label, chosen=chosen)
        return Submission(read.name, read.files, (*hand_in.remarks, *read.remarks))
    sieve = Sieve(Caps(), frozenset(chosen))
    entries = _loose_entries(hand_in, sieve)
    attempts = sorted({_attempt(each.path) for each in entries}) if hand_in.is_open else ()
    files = select(entries, sieve, are_loose=True, attempts=attempts)
    return make_submission(hand_in.name, files, sieve, hand_in.remarks)


def _attempt(path: str) -> str:
    """Return the name of the attempt that a path belongs to: the platform's, a folder's with "/"."""
    top, slash, _ = path.partition("/")
    return top + (slash or "/" * is_archive_name(top))


def _is_loose_code(hand_in: HandIn) -> bool:
    """Tell whether it is one file of code, with the student's name for it."""
    return bool(hand_in.labels) and is_code_name(hand_in.sources[0])


def _loose_entries(hand_in: HandIn, sieve: Sieve) -> list[Entry]:
    """List the files under the student's names; those of a folder below it."""
    entries: list[Entry] = []
    for path, label in zip(
        hand_in.sources, hand_in.labels or [each.name for each in hand_in.sources], strict=True
    ):
        clean = sieve.clean(label) if label else ""
        if clean is None:
            continue
        if not clean:
            entries += folder_entries(path, sieve)
        elif is_folder(path):
            entries += [replace(each, path=f"{clean}/{each.path}") for each in folder_entries(path, sieve)]
        else:
            entries.append(file_entry(path, clean, is_cleaned=is_changed(label, clean)))
    return entries


def nothing_read(hand_in: HandIn, why: Message) -> Submission:
    """Return a submission without files, and why that is."""
    return Submission(hand_in.name, {}, (*hand_in.remarks, note(why)))


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
