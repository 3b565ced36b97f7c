"""One submission, from whatever it was handed in as."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from grader.errors import InputError, IntakeError
from grader.intake.caps import Caps
from grader.intake.containers import archive_entries
from grader.intake.entries import Entry, Sieve, Unreadable
from grader.intake.folders import folder_entries
from grader.intake.names import ARCHIVES, is_archive_name, safe_name, submission_name
from grader.intake.notebooks import SUFFIX
from grader.intake.notes import Notes
from grader.intake.refusals import came, is_document
from grader.intake.regular_files import is_folder, read_regular
from grader.intake.selection import select
from grader.languages import DEFAULT, catalogue
from grader.model import Submission
from grader.text import in_bytes

_OTHERS: Final = {
    b"Rar!": "a RAR archive",
    b"\xfd7zX": "an xz archive",
    b"BZh": "a bzip2 archive",
}


def read_submission(
    path: Path,
    *,
    name: str | None = None,
    caps: Caps | None = None,
    check: Callable[[Sequence[Entry], Sieve], None] = lambda *_: None,
) -> Submission:
    """Read a folder, a zip, a 7z or a (gzipped) tar; ``name`` is the path's own where none is given.

    What is damaged or refused is left out, with a note. Raises IntakeError where nothing can be read
    at all, and Unreached where the machine does not let a part be read. ``check`` is shown what there is to
    choose from, and raises InputError where that is not to be graded.
    """
    sieve = Sieve(caps or Caps(), Notes())
    try:
        entries = _folder_entries(path, sieve) if is_folder(path) else _file_entries(path, sieve)
        check(entries, sieve)
        files = select(entries, sieve)
    except InputError as error:
        raise error if error.path else type(error)(str(error), path=path) from error.__cause__
    called = safe_name(name) if name else submission_name(path)
    return made(called, files, sieve)


def made(name: str, files: Mapping[str, bytes], sieve: Sieve, before: tuple[str, ...] = ()) -> Submission:
    """The submission of these files, with all that intake has to say of it."""
    if not files:
        sieve.notes.add("No file was found that could be read.")
    return Submission(name, files, (*before, *sieve.notes.lines()), tuple(sieve.remarks))


def is_submission_archive(path: Path) -> bool:
    """Tell whether a path is a file with the name of an archive that intake reads."""
    return is_archive_name(path.name) and path.is_file()


def _folder_entries(folder: Path, sieve: Sieve) -> list[Entry]:
    """The files of a folder; one with nothing but an archive in it is that archive."""
    entries = folder_entries(folder, sieve)
    if len(entries) == 1 and is_archive_name(entries[0].path) and not sieve.notes.lines():
        with suppress(IntakeError, Unreadable):
            content = sieve.read(entries[0], sieve.caps.archive_bytes + 1)
            if len(content) <= sieve.caps.archive_bytes:
                return archive_entries(content, sieve) or entries
    return entries


def _file_entries(path: Path, sieve: Sieve) -> list[Entry]:
    content = _content(path, sieve.caps)
    if path.suffix.lower() in (".py", SUFFIX) and not path.is_symlink():
        return [Entry(path.name, lambda most: content[:most])]
    entries = None if is_document(path.name) else archive_entries(content, sieve)
    if entries is not None:
        return entries
    found = next((what for magic, what in _OTHERS.items() if content.startswith(magic)), "")
    found = found or (catalogue(DEFAULT).say(came([path.name])) if content else "an empty file")
    raise IntakeError(
        f"expected a folder, or a {ARCHIVES}, got {found}. "
        f"Hand in the six files of the lab in one zip: maze pack makes it"
    )


def _content(path: Path, caps: Caps) -> bytes:
    """The bytes of an archive."""
    try:
        content = read_regular(path, caps.archive_bytes + 1, follow=True)
    except OSError as error:
        raise IntakeError(f"the submission cannot be read: {error.strerror}") from None
    if len(content) > caps.archive_bytes:
        raise IntakeError(
            f"expected an archive of {in_bytes(caps.archive_bytes)} at the most: hand in code only"
        )
    return content
