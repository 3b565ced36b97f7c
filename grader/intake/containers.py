"""What holds files in itself: an archive in what was handed in is opened, once, within the caps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from grader.errors import IntakeError
from grader.intake import sevenzips
from grader.intake.candidates import named_like
from grader.intake.entries import Entry, Sieve, Unreadable
from grader.intake.names import is_archive_name
from grader.intake.notes import shown
from grader.intake.tars import GZIP_MAGIC, tar_entries
from grader.intake.zips import zip_entries
from grader.languages import said
from grader.model import Remark
from lab.exercises import FILES

_MOST: Final = 8
"""At most 8 archives in a submission are opened: there may be one for each exercise."""


def archive_entries(content: bytes, sieve: Sieve) -> list[Entry] | None:
    """List the files of an archive; None for what is none. Raises IntakeError."""
    if content.startswith(sevenzips.MAGIC):
        return sevenzips.sevenzip_entries(content, sieve)
    if content.startswith(GZIP_MAGIC) or content[257:262] == b"ustar":
        return tar_entries(content, sieve)
    return zip_entries(content, sieve) if content.startswith(b"PK") else None


def opened(entries: Iterable[Entry], sieve: Sieve) -> list[Entry]:
    """The entries, with those of the archives among them where the exercises do not lie beside these.

    An archive's own entries stand below its name; archives in it are not opened.
    """
    found = list(entries)
    archives = [entry for entry in found if is_archive_name(entry.path)]
    if not archives or _holds_all(found):
        return found
    for archive in archives[_MOST:]:
        sieve.refuse(archive.path, f"{_MOST} archives of a submission are opened at the most")
    left = sieve.caps.archive_bytes
    for archive in archives[:_MOST]:
        inner, count = _inside(archive, left, sieve)
        left -= count
        if inner:
            found.remove(archive)
            found += [replace(entry, path=f"{archive.path}/{entry.path}") for entry in inner]
            message = said("intake_opened", source=shown(archive.path))
            sieve.remarks.append(Remark("opened", shown(archive.path), "", message))
    return found


def _holds_all(entries: Iterable[Entry]) -> bool:
    """Whether all six files lie there, if only by their names."""
    named = {named_like(entry.path) for entry in entries if entry.path.endswith(".py")}
    return len(named - {None}) == len(FILES)


def _inside(archive: Entry, most: int, sieve: Sieve) -> tuple[list[Entry], int]:
    """The files of an archive that is small enough, and its size."""
    try:
        content = sieve.read(archive, most + 1)
        if len(content) > most:
            return [], 0
        return archive_entries(content, sieve) or [], len(content)
    except (IntakeError, Unreadable) as error:
        sieve.refuse(archive.path, str(error))
        return [], 0
