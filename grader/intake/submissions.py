"""Reads what one student handed in, in whatever form, in a process of its own, with its history in git."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from grader.errors import BeyondBounds, Candidate, InputError, SandboxError, Undecided, Unreached
from grader.intake.archives import archive_entries, is_archive
from grader.intake.choice import Work, labs_side_by_side
from grader.intake.files import (
    NOT_REGULAR,
    Caps,
    Entry,
    LeftOut,
    Refusal,
    Sieve,
    file_entry,
    folder_entries,
    is_folder,
    read_regular,
    unreached_error,
    utc_time,
)
from grader.intake.names import (
    ARCHIVE_SUFFIXES,
    is_archive_name,
    is_changed,
    is_code_name,
    is_document,
    may_hide_archive,
    safe_name,
    submission_name,
)
from grader.intake.selection import holds_code, select
from grader.languages import Message, said
from grader.model import Remark, Submission, note
from grader.reader import Reader
from grader.shipped import template
from grader.text import in_bytes, shown
from lab.came import kind_inside, kind_of

if TYPE_CHECKING:
    from grader.intake.class_listing import HandIn


def read_submission(
    path: Path,
    *,
    name: str | None = None,
    caps: Caps | None = None,
    chosen: Collection[str] = (),
    check: Callable[[Sequence[Work]], None] = lambda _: None,
) -> Submission:
    """Read a folder, a zip, a 7z or a (gzipped) tar; ``name`` defaults to the name of the path.

    What is damaged or refused is left out, with a note. Raises Refusal if nothing can be read at all, and
    Unreached if the machine cannot read a part of it. Of several candidates that could count, the one is
    taken whose name is ``chosen``; raises Undecided without. ``check`` may
    raise InputError for what was worked on.
    """
    sieve = Sieve(caps or Caps())
    try:
        files = select(_entries(path, path.name, sieve), sieve, chosen=chosen, check=check)
    except InputError as error:
        raise error.at(path) from error.__cause__
    return make_submission(safe_name(name) if name else submission_name(path), files, sieve)


def read_hand_in(hand_in: HandIn, chosen: Collection[str] = ()) -> Submission:
    """Read a student's submission; an archive that is refused yields an empty one, with the reason.

    Of candidates that could count, the one is taken whose name is ``chosen``. Raises Undecided, and
    Unreached where the disk, not the student, is at fault.
    """
    if hand_in.unclear:
        raise Undecided(hand_in.unclear)
    if hand_in.broken:
        raise Unreached(hand_in.broken)
    if not hand_in.sources:
        return nothing_read(hand_in, said("intake_nothing"))
    for source in hand_in.sources:
        _check_reach(source)
    sieve = Sieve(Caps())
    try:
        return make_submission(hand_in.name, _files(hand_in, sieve, chosen), sieve, hand_in.remarks)
    except Refusal as error:
        return nothing_read(hand_in, said("intake_unreadable", reason=error.reason))


def nothing_read(hand_in: HandIn, why: Message) -> Submission:
    """Return a submission without files, and why that is."""
    return Submission(hand_in.name, {}, (*hand_in.remarks, note(why)))


def make_submission(
    name: str, files: Mapping[str, bytes], sieve: Sieve, before: Iterable[Remark] = ()
) -> Submission:
    """Return the submission of these files, with all remarks of intake."""
    if not files:
        sieve.note(said("intake_no_file"))
    return Submission(name, files, (*before, *sieve.all_remarks()))


def is_submission_archive(path: Path) -> bool:
    """Tell whether a path is a file with the name of an archive that intake reads."""
    return is_archive_name(path.name) and path.is_file()


# --- what lies in one path ------------------------------------------------------------------------


def _entries(path: Path, label: str, sieve: Sieve) -> list[Entry]:
    """List the files of a folder, or of an archive with the student's ``label``; a lone file is one."""
    if not is_folder(path):
        return _file_entries(path, label, sieve)
    entries = folder_entries(path, sieve)
    if len(entries) == 1 and is_archive_name(entries[0].path) and not sieve.notes:
        with suppress(Refusal, LeftOut):  # a folder that holds just an archive counts as that archive
            content = sieve.read(entries[0], sieve.caps.archive_bytes + 1)
            if len(content) <= sieve.caps.archive_bytes:
                return archive_entries(content, sieve, entries[0].path) or entries
    return entries


def _file_entries(path: Path, label: str, sieve: Sieve) -> list[Entry]:
    content = _content(path, sieve.caps)
    is_hidden_archive = may_hide_archive(label) and is_archive(content)
    if not is_hidden_archive and not path.is_symlink() and holds_code(label, content):
        return [Entry(label, lambda most: content[:most], modified=utc_time(path.stat().st_mtime))]
    is_read = is_hidden_archive or not is_document(label)
    entries = archive_entries(content, sieve, label) if is_read else None
    if entries is not None:
        return entries
    kind = kind_of(label, content)
    if is_archive_name(label) and kind_inside(content) in (None, "archive"):
        kind = "no_archive"
    what = said("came_named", what=said(f"came_{kind}"), names=shown(label))
    found = what if content else said("came_empty")
    *archives, last = ARCHIVE_SUFFIXES
    raise Refusal(said("no_submission", archives=", ".join(archives), last=last, found=found))


def _content(path: Path, caps: Caps) -> bytes:
    """Return the bytes of a file. Raises Refusal if it cannot be read or is too large."""
    try:
        content = read_regular(path, caps.archive_bytes + 1, follow=True)
    except OSError as error:
        raise Refusal(said("unreadable", reason=str(error.strerror))) from None
    if len(content) > caps.archive_bytes:
        raise Refusal(said("archive_large", size=in_bytes(caps.archive_bytes)))
    return content


# --- what a class or a platform knows as one hand-in ------------------------------------------------


def _files(hand_in: HandIn, sieve: Sieve, chosen: Collection[str]) -> dict[str, bytes]:
    """Read the files of a hand-in: one path by itself, or loose ones together."""
    lone, label = hand_in.sources[0], "".join(hand_in.labels)
    if len(hand_in.sources) == 1 and not (label and is_code_name(lone)):
        if lone.is_symlink():
            raise Refusal(said("left_link"))
        return select(_entries(lone, label or lone.name, sieve), sieve, chosen=chosen)
    entries = _loose_entries(hand_in, sieve)
    attempts = sorted({_attempt(each.path) for each in entries}) if hand_in.is_open else ()
    return select(entries, sieve, chosen=chosen, are_loose=True, attempts=attempts)


def _attempt(path: str) -> str:
    """Return the name of the attempt that a path belongs to: the platform's, a folder's with "/"."""
    top, slash, _ = path.partition("/")
    return top + (slash or "/" * is_archive_name(top))


def _loose_entries(hand_in: HandIn, sieve: Sieve) -> list[Entry]:
    """List the files under the student's names; those of a folder below it."""
    entries: list[Entry] = []
    labels = hand_in.labels or [each.name for each in hand_in.sources]
    for path, label in zip(hand_in.sources, labels, strict=True):
        clean = sieve.clean(label) if label else ""
        if clean is None:
            continue
        if is_folder(path) or not clean:
            around = f"{clean}/" if clean else ""
            entries += [replace(each, path=around + each.path) for each in folder_entries(path, sieve)]
        else:
            entries.append(file_entry(path, clean, is_cleaned=is_changed(label, clean)))
    return entries


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


_RAISED = {each.__name__: each for each in (InputError, Unreached, Undecided)}


@dataclass(frozen=True, slots=True)
class _Read:
    """What came of reading a submission: its files, or why it was not read."""

    submission: Submission | None = None
    refused: Message | None = None
    raised: tuple[str, str] = ("", "")
    """The name of the error, and its message."""
    candidates: tuple[Candidate, ...] = ()
    """Those of which a person has to say which counts."""


def submission_at(
    path: Path,
    reader: Reader,
    *,
    caps: Caps | None = None,
    chosen: Collection[str] = (),
    check: Callable[[Sequence[Work]], None] = lambda _: None,
) -> Submission:
    """Read a folder or an archive. Raises as ``read_submission`` does, Refusal where it takes too much."""
    try:
        return _read(reader, lambda: read_submission(path, caps=caps, chosen=chosen, check=check), (path,))
    except BeyondBounds:
        raise Refusal(said("reading_too_much"), path=path) from None


def submission_of(hand_in: HandIn, reader: Reader, *, chosen: Collection[str] = ()) -> Submission:
    """Read a student's submission; one that is refused or takes too much is empty, with the reason.

    Where several candidates could count, the one is taken whose name is among the chosen. Raises Unreached
    and Undecided.
    """
    try:
        return _read(reader, lambda: read_hand_in(hand_in, chosen), hand_in.sources)
    except BeyondBounds:
        return nothing_read(hand_in, said("reading_too_much"))


def class_within(lone: Path, reader: Reader) -> Path | None:
    """Return the folder in the only one of a class that holds several whole labs, of different content, as a
    class does; None for none, and where that cannot be told."""
    found: list[str] = []

    def look(works: Sequence[Work]) -> None:
        found.extend(labs_side_by_side(works, least=_WHOLE))
        raise _SeenEnough

    def around() -> list[str]:
        with suppress(InputError, _SeenEnough):
            read_submission(lone, check=look)
        return sorted({path.rpartition("/")[0] for path in found})

    folders: list[str] = []
    if is_folder(lone) and not lone.is_symlink():
        with suppress(BeyondBounds, SandboxError):
            template()
            folders = reader.read(around, list[str], (lone,))
    return lone / folders[0] if len(folders) == 1 and is_folder(lone / folders[0]) else None


class _SeenEnough(Exception):  # noqa: N818 - named after what happened
    """What was worked on is known, and nothing more is read."""


_WHOLE: Final = 3
"""What holds at least 3 of the six exercises may be a whole lab."""


def _read(reader: Reader, work: Callable[[], Submission], paths: Sequence[Path]) -> Submission:
    def told() -> _Read:
        try:
            return _Read(work())
        except Refusal as error:
            return _Read(refused=error.reason, raised=("", str(error.path or "")))
        except InputError as error:
            candidates = error.candidates if isinstance(error, Undecided) else ()
            return _Read(raised=(type(error).__name__, str(error)), candidates=candidates)
        except OSError as error:
            return _Read(raised=("Unreached", f"{error.strerror or error}"))

    template()  # what a child may not read, it has from here
    read = reader.read_again(told, _Read, paths)
    if read.refused is not None:
        raise Refusal(read.refused, path=Path(read.raised[1]) if read.raised[1] else None)
    if read.candidates:
        raise Undecided(read.raised[1], candidates=read.candidates)
    if read.submission is None:
        raise _RAISED[read.raised[0]](read.raised[1])
    return read.submission
