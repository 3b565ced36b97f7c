"""What every source of files gives: names that are safe, and a way to read each."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from grader.intake.caps import KIB, Caps
from grader.intake.names import NameRefused, clean_path, collision_key, is_archive_name, is_junk, numbered
from grader.intake.notebooks import MOST_BYTES, SUFFIX
from grader.intake.notes import Notes, shown
from grader.intake.regular_files import LINK, NOT_REGULAR, read_regular, unreached
from grader.model import Remark
from grader.text import in_bytes

_LEAST_READ: Final = 4 * KIB
"""What opening a file costs, however little it holds."""


class Unreadable(Exception):  # noqa: N818 - named after what happened
    """A file whose contents cannot be had; the message says why."""


def read_file(file: Path, name: str, most: int) -> bytes:
    """Return the first bytes of a file on the disk. Raises Unreadable for what is none, and Unreached."""
    try:
        return read_regular(file, most, follow=False)
    except OSError as error:
        if error.strerror == NOT_REGULAR:
            raise Unreadable(NOT_REGULAR) from None
        if error.errno == errno.ELOOP:
            raise Unreadable(LINK) from None
        raise unreached(name, error) from None


@dataclass(frozen=True, slots=True)
class Entry:
    """One regular file; ``read(n)`` returns its first n bytes. Raises Unreadable."""

    path: str
    read: Callable[[int], bytes]
    is_cleaned: bool = False
    """Its name was another one before."""


def apart(entries: Iterable[Entry]) -> list[Entry]:
    """The entries, with a number in the names of those that share one only since it was cleaned."""
    found = list(entries)
    taken = {collision_key(entry.path) for entry in found if not entry.is_cleaned}
    numbers: dict[str, int] = {}
    for place, entry in enumerate(found):
        path = entry.path
        while entry.is_cleaned and collision_key(path) in taken:
            numbers[entry.path] = numbers.get(entry.path, 1) + 1
            path = numbered(entry.path, numbers[entry.path])
        taken.add(collision_key(path))
        found[place] = replace(entry, path=path)
    return found


@dataclass(slots=True)
class Sieve:
    """Lets through what may be part of a submission, and notes the rest."""

    caps: Caps
    notes: Notes
    remarks: list[Remark] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    """The files outside of the folder that is graded that are graded all the same."""
    _read: int = 0

    def path(self, name: str) -> str | None:
        """The clean path of a name; None for rubbish, and with a note for what is refused."""
        try:
            parts = clean_path(name, self.caps)
        except NameRefused as refusal:
            self.refuse(name, str(refusal))
            return None
        return None if is_junk(parts) else "/".join(parts)

    def read(self, entry: Entry, most: int) -> bytes:
        """Return the first bytes of a file. Raises Unreadable, also once all files together are too much."""
        if self._read >= self.caps.read_bytes:
            raise Unreadable(f"more than {in_bytes(self.caps.read_bytes)} were read before it")
        content = entry.read(most)
        self._read += max(len(content), _LEAST_READ)
        return content

    def fits(self, path: str, size: int) -> bool:
        """Tell whether a file is small enough to be read; notes it where it is not."""
        if size > self.caps.file_bytes:
            self.refuse(path, f"it is larger than {in_bytes(self.caps.file_bytes)}")
        return size <= self.caps.file_bytes

    def may_fit(self, path: str, size: int) -> bool:
        """Tell whether a file may be of use; what holds other files in itself may be larger than they."""
        if is_archive_name(path) and size <= self.caps.archive_bytes:
            return True
        if path.lower().endswith(SUFFIX) and size <= MOST_BYTES:
            return True
        return self.fits(path, size)

    def refuse(self, name: str, reason: str) -> None:
        """Note what is left out, and why."""
        self.notes.add(f"{shown(name)} was left out: {reason}.")

    def take_back(self, name: str) -> None:
        """Say no more that a file was left out."""
        self.notes.drop(f"{shown(name)} was left out: ")
