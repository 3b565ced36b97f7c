"""Reads one submission, in whatever form it was handed in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from grader.errors import InputError, Undecided
from grader.intake.archives import archive_entries, is_archive
from grader.intake.choice import Work
from grader.intake.files import (
    Caps,
    Entry,
    LeftOut,
    Refusal,
    Sieve,
    folder_entries,
    is_folder,
    read_regular,
    utc_time,
)
from grader.intake.names import (
    ARCHIVE_SUFFIXES,
    is_archive_name,
    is_document,
    may_hide_archive,
    safe_name,
    submission_name,
)
from grader.intake.selection import select
from grader.intake.source_files import holds_code
from grader.languages import said
from grader.model import Remark, Submission
from grader.text import in_bytes, shown
from lab.came import kind_inside, kind_of


def read_submission(
    path: Path,
    *,
    name: str | None = None,
    label: str = "",
    caps: Caps | None = None,
    chosen: Collection[str] = (),
    check: Callable[[Sequence[Work]], None] = lambda _: None,
) -> Submission:
    """Read a folder, a zip, a 7z or a (gzipped) tar; ``name`` and the student's ``label`` for it default to
    the name of the path.

    What is damaged or refused is left out, with a note. Raises Refusal if nothing can be read at all, and
    Unreached if the machine cannot read a part of it. Of several candidates that could count, the one is
    taken whose name is ``chosen``; raises Undecided without. ``check`` may
    raise InputError for what was worked on.
    """
    sieve = Sieve(caps or Caps(), frozenset(chosen))
    try:
        files = select(entries_of(path, label or path.name, sieve), sieve, check=check)
    except Refusal as error:
        raise Refusal(error.reason, path=path) from error.__cause__
    except InputError as error:
        if isinstance(error, Undecided):
            raise Undecided(str(error), path=path, candidates=error.candidates) from error.__cause__
        raise type(error)(str(error), path=path) from error.__cause__
    called = safe_name(name) if name else submission_name(path)
    return make_submission(called, files, sieve)


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


def entries_of(path: Path, label: str, sieve: Sieve) -> list[Entry]:
    """List the files of a folder, or of an archive with the student's ``label``; a lone file is one."""
    return _folder_entries(path, sieve) if is_folder(path) else _file_entries(path, label, sieve)


def _folder_entries(folder: Path, sieve: Sieve) -> list[Entry]:
    """List the files of a folder; a folder that holds just an archive counts as that archive."""
    entries = folder_entries(folder, sieve)
    if len(entries) == 1 and is_archive_name(entries[0].path) and not sieve.notes:
        with suppress(Refusal, LeftOut):
            content = sieve.read(entries[0], sieve.caps.archive_bytes + 1)
            if len(content) <= sieve.caps.archive_bytes:
                return archive_entries(content, sieve) or entries
    return entries


def _file_entries(path: Path, label: str, sieve: Sieve) -> list[Entry]:
    content = _content(path, sieve.caps)
    is_hidden_archive = may_hide_archive(label) and is_archive(content)
    if not is_hidden_archive and not path.is_symlink() and holds_code(label, content):
        return [Entry(label, lambda most: content[:most], modified=utc_time(path.stat().st_mtime))]
    is_read = is_hidden_archive or not is_document(label)
    entries = archive_entries(content, sieve) if is_read else None
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
