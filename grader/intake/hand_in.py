"""Reading what one student handed in: a folder, an archive, or loose files from a platform."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from grader.errors import InputError, IntakeError, Unreached
from grader.intake.caps import Caps
from grader.intake.class_listing import HandIn
from grader.intake.complements import of_complements
from grader.intake.entries import Sieve
from grader.intake.loose_files import ask_about, in_places, latest
from grader.intake.notebooks import SUFFIX
from grader.intake.notes import Notes, shown
from grader.intake.regular_files import LINK, NOT_REGULAR, read_regular, unreached
from grader.intake.selection import select
from grader.intake.submissions import made, read_submission
from grader.model import Submission
from lab.exercises import FILES


def read_hand_in(hand_in: HandIn) -> Submission:
    """Read a student's submission; an archive that is refused makes an empty one, with the reason.

    Raises Unreached where the disk, not the student, is at fault.
    """
    try:
        return _submission(hand_in)
    except Unreached as error:
        raise Unreached(_reason(error, hand_in)) from None
    except IntakeError as error:
        return _empty(hand_in, f"Nothing could be read: {_reason(error, hand_in)}.")


def _submission(hand_in: HandIn) -> Submission:
    if hand_in.broken:
        raise Unreached(hand_in.broken)
    if not hand_in.sources:
        return _empty(hand_in, "No file was handed in.")
    for source in hand_in.sources:
        _check_reach(source)
    lone = hand_in.sources[0]
    if hand_in.first_counts or (len(hand_in.sources) == 1 and (not hand_in.labels or not _is_code(lone))):
        if lone.is_symlink():
            raise IntakeError(LINK)
        joined = of_complements(hand_in.name, hand_in.archives)
        if joined is not None:
            return ask_about(hand_in, replace(joined, notes=(*hand_in.notes, *joined.notes)))
        read = read_submission(lone, name=hand_in.name)
        if len(hand_in.sources) > 1 and not any(file in read.files for file in FILES):
            return _submission(_without_first(hand_in))
        notes, remarks = (*hand_in.notes, *read.notes), (*hand_in.remarks, *read.remarks)
        return ask_about(hand_in, replace(read, notes=notes, remarks=remarks))
    sieve = Sieve(Caps(), Notes())
    entries = in_places(latest(hand_in.sources, hand_in.labels, sieve), sieve)
    return made(hand_in.name, select(entries, sieve, are_loose=True), sieve, hand_in.notes)


def _without_first(hand_in: HandIn) -> HandIn:
    """The loose files alone, beside an archive in which nothing of the lab lies."""
    note = f"{shown(hand_in.labels[0])} holds none of the lab's files: those beside it are graded."
    sources, labels = hand_in.sources[1:], hand_in.labels[1:]
    return replace(
        hand_in, sources=sources, labels=labels, first_counts=False, archives=(), notes=(note,), remarks=()
    )


def _empty(hand_in: HandIn, note: str) -> Submission:
    return Submission(hand_in.name, {}, (*hand_in.notes, note), hand_in.remarks)


def _is_code(path: Path) -> bool:
    return path.suffix.lower() in (".py", SUFFIX)


def _check_reach(path: Path) -> None:
    """See whether the machine gives us the bytes. Raises Unreached."""
    try:
        if path.is_symlink():
            return
        if path.is_dir():
            next(path.iterdir(), None)
        else:
            read_regular(path, 1, follow=False)
    except OSError as error:
        if error.strerror != NOT_REGULAR:
            raise unreached(path.name, error) from None


def _reason(error: InputError, hand_in: HandIn) -> str:
    """The reason without the path of this machine."""
    text = str(error)
    for source in hand_in.sources:
        text = text.removeprefix(f"{source}: ")
    return text
