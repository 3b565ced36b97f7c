"""One submission, from whatever it was handed in as."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from grader.errors import IntakeError
from grader.intake.caps import Caps
from grader.intake.entries import Entry, Sieve
from grader.intake.folders import folder_entries
from grader.intake.names import is_archive_name, safe_name, submission_name
from grader.intake.notes import Notes
from grader.intake.regular_files import read_regular
from grader.intake.selection import select
from grader.intake.tars import GZIP_MAGIC, tar_entries
from grader.intake.zips import zip_entries
from grader.model import Submission
from grader.text import in_bytes

_OTHERS: Final = {
    b"Rar!": "a RAR archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"\xfd7zX": "an xz archive",
    b"BZh": "a bzip2 archive",
}


def read_submission(path: Path, *, name: str | None = None, caps: Caps | None = None) -> Submission:
    """Read a folder, a zip or a (gzipped) tar; ``name`` is the path's own where none is given.

    What cannot be read or is refused is left out, with a note. Raises IntakeError where nothing can
    be read at all.
    """
    sieve = Sieve(caps or Caps(), Notes())
    try:
        entries = folder_entries(path, sieve) if path.is_dir() else _archive_entries(path, sieve)
    except IntakeError as error:
        raise error if error.path else IntakeError(str(error), path=path) from error.__cause__
    files = select(entries, sieve)
    if not files:
        sieve.notes.add("No file was found that could be read.")
    return Submission(safe_name(name) if name else submission_name(path), files, sieve.notes.lines())


def is_submission_archive(path: Path) -> bool:
    """Tell whether a path is a file with the name of an archive that intake reads."""
    return is_archive_name(path.name) and path.is_file()


def _archive_entries(path: Path, sieve: Sieve) -> list[Entry]:
    content = _content(path, sieve.caps)
    if content.startswith(GZIP_MAGIC) or content[257:262] == b"ustar":
        return tar_entries(content, sieve)
    if content.startswith(b"PK") or path.suffix.lower() == ".zip":
        return zip_entries(content, sieve)
    found = next((what for magic, what in _OTHERS.items() if content.startswith(magic)), "something else")
    raise IntakeError(f"expected a folder, a .zip or a .tar.gz, got {found if content else 'an empty file'}")


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
