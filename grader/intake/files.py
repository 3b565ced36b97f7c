"""Files from outside, and how much of them is read at most.

Whether they come in a folder or an archive, files are listed as entries: each has a clean name, and a way to
read its first bytes. On the disk, only regular files are read; links are not followed, and no read can block.
A sieve counts what is read, passes on what may be part of a submission, and notes the rest.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice, takewhile
from pathlib import Path
from typing import Final

from grader.errors import IntakeError, Unreached
from grader.intake.names import (
    clean_part,
    collision_key,
    is_archive_name,
    is_changed,
    is_junk,
    is_placeholder,
    numbered_name,
    split_path,
)
from grader.intake.notebooks import is_notebook_name, may_hold_notebook
from grader.languages import DEFAULT, Message, catalogue, said
from grader.model import Remark, note
from grader.text import in_bytes, is_left_by_system, shown

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True, slots=True)
class Caps:
    """The limits of what intake reads; sizes in bytes."""

    file_bytes: int = 256 * KIB
    total_bytes: int = 2 * MIB
    files: int = 500
    """The number of files that are kept."""
    members: int = 50_000
    """The number of entries of an archive or a folder that are examined, junk included."""
    archive_bytes: int = 64 * MIB
    unpacked_bytes: int = 64 * MIB
    """The size to which a compressed tar may unpack; members of a zip are never unpacked beyond
    ``file_bytes``."""
    read_bytes: int = 256 * MIB
    """The bytes that are read in total to examine a submission, some of them more than once or in vain."""
    ratio: int = 200
    """The factor by which a compressed tar may grow, once it has grown beyond ``total_bytes``."""
    depth: int = 12
    name_characters: int = 200


# --- on the disk ---------------------------------------------------------------------------------

NOT_REGULAR = "it is no regular file"

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
"""Files are opened with these flags, so that opening a pipe without a writer does not block."""


def read_regular(path: Path, most: int, *, follow: bool) -> bytes:
    """Return the first bytes of a regular file. Raises OSError, whose ``strerror`` gives the reason."""
    descriptor = os.open(path, _FLAGS | (0 if follow else getattr(os, "O_NOFOLLOW", 0)))
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, NOT_REGULAR)
        return file.read(most)


def file_type(path: Path) -> int:
    """Return the file type at a path, as in ``st_mode``, links followed; 0 for nothing, or if it cannot be
    read."""
    try:
        return stat.S_IFMT(path.stat().st_mode)
    except (OSError, ValueError):
        return 0


def is_folder(path: Path) -> bool:
    """Tell whether a path leads to a folder; False if it cannot be read."""
    return file_type(path) == stat.S_IFDIR


def is_file(path: Path) -> bool:
    """Tell whether a path leads to a regular file; False if it cannot be read."""
    return file_type(path) == stat.S_IFREG


def unreached_error(name: str, error: OSError) -> Unreached:
    """Return the error for a file of this name that the machine cannot read."""
    return Unreached(f"{shown(name)} cannot be read: {error.strerror}")


# --- entries -------------------------------------------------------------------------------------

_LEAST_READ: Final = 4 * KIB
"""A file counts as at least 4 KiB read, the cost of opening it."""
_MOST_NOTES: Final = 20
"""At most 20 notes are made on one submission; the number of further ones is given."""


class Refusal(IntakeError):  # noqa: N818 - named after what happened
    """A submission that cannot be read at all, with the reason as a message that can be translated."""

    def __init__(self, reason: Message, *, path: Path | None = None) -> None:
        self.reason = reason
        super().__init__(catalogue(DEFAULT).say(reason), path=path)


class LeftOut(Exception):  # noqa: N818 - named after what happened
    """A file whose contents cannot be read, or whose name is not allowed in a submission."""

    def __init__(self, reason: Message) -> None:
        self.reason = reason
        super().__init__(reason)


def read_file(file: Path, name: str, most: int) -> bytes:
    """Return the first bytes of a file on the disk.

    Raises LeftOut if it is not a regular file, and Unreached.
    """
    try:
        return read_regular(file, most, follow=False)
    except OSError as error:
        if error.strerror == NOT_REGULAR:
            raise LeftOut(said("left_not_regular")) from None
        if error.errno == errno.ELOOP:
            raise LeftOut(said("left_link")) from None
        raise unreached_error(name, error) from None


_MOST_AROUND: Final = 50
"""Up to 50 folders around a submission count towards no limit: clouds put a dozen around it."""


def folders_around(names: Iterable[str]) -> tuple[str, ...]:
    """Return the folders that all files with these names lie in, apart from what systems leave behind."""
    found = [parts[:-1] for name in names if (parts := split_path(name)) and not is_junk(tuple(parts))]
    pairs = zip(min(found, default=[]), max(found, default=[]), strict=False)
    return tuple(part for part, _ in islice(takewhile(_is_pair, pairs), _MOST_AROUND))


def _is_pair(parts: tuple[str, str]) -> bool:
    return parts[0] == parts[1]


def clean_path(name: str, caps: Caps, around: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the parts of a path below the submission, without invisible characters.

    Names are cleaned rather than refused for their characters: no-break spaces and direction marks come with
    screenshots and chats, backslashes and absolute paths with tools on Windows. The folders ``around`` all
    files do not count. Raises LeftOut.
    """
    whole = split_path(name)
    outer = [part for part, _ in takewhile(_is_pair, zip(whole, around, strict=False))]
    if len(name) - len("/".join(outer)) > caps.name_characters:
        raise LeftOut(said("left_long_name", count=caps.name_characters))
    parts = tuple(clean_part(part) for part in whole)
    if ".." in parts:
        raise LeftOut(said("left_way_out"))
    if len(parts) - len(outer) > caps.depth:
        raise LeftOut(said("left_deep", count=caps.depth))
    if not parts:
        raise LeftOut(said("left_nameless"))
    return parts


@dataclass(frozen=True, slots=True)
class Entry:
    """One regular file; ``read(n)`` returns its first n bytes. Raises LeftOut."""

    path: str
    read: Callable[[int], bytes]
    is_cleaned: bool = False
    """Whether its name was changed by cleaning."""
    modified: str | None = None
    """When it was changed last, as an ISO time in UTC; None where that is not known."""


def utc_time(seconds: float) -> str | None:
    """Return a time of the system as an ISO time in UTC; None if it is none."""
    with suppress(OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds") if seconds else None
    return None


def number_duplicates(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries, with a number appended to names that became equal to others by cleaning."""
    found = list(entries)
    taken = {collision_key(entry.path) for entry in found if not entry.is_cleaned}
    numbers: dict[str, int] = {}
    for place, entry in enumerate(found):
        path = entry.path
        while entry.is_cleaned and collision_key(path) in taken:
            numbers[entry.path] = numbers.get(entry.path, 1) + 1
            path = numbered_name(entry.path, numbers[entry.path])
        taken.add(collision_key(path))
        found[place] = replace(entry, path=path)
    return found


@dataclass(slots=True)
class Sieve:
    """Passes on what may be part of a submission, and notes the rest."""

    caps: Caps
    notes: list[Remark] = field(default_factory=list)
    """What was left out, each only once, up to the limit."""
    remarks: list[Remark] = field(default_factory=list)
    unseen: dict[Message, None] = field(default_factory=dict)
    """What lies behind a bound, and was not looked at: the bounds that were reached, each only once."""
    around: tuple[str, ...] = ()
    """The folders around all files of what is listed."""
    _unsaid: int = 0
    _read: int = 0

    def clean(self, name: str) -> str | None:
        """Return the clean path of a name; None for junk, and with a note for names that are refused."""
        if any(map(is_left_by_system, split_path(name))):  # before cleaning takes a sign of it away
            return None
        try:
            parts = clean_path(name, self.caps, self.around)
        except LeftOut as refusal:
            self.refuse(name, refusal.reason)
            return None
        if is_placeholder(parts[-1]):
            self.refuse(name, said("left_icloud"))
            return None
        return None if is_junk(parts) else "/".join(parts)

    def read(self, entry: Entry, most: int) -> bytes:
        """Return the first bytes of a file. Raises LeftOut, also when all files together are too large."""
        if self._read >= self.caps.read_bytes:
            self.unseen[said("unseen_bytes", size=in_bytes(self.caps.read_bytes))] = None
            raise LeftOut(said("left_read_enough", size=in_bytes(self.caps.read_bytes)))
        content = entry.read(most)
        self._read += max(len(content), _LEAST_READ)
        return content

    def fits(self, path: str, size: int) -> bool:
        """Tell whether a file is small enough to be read; note it if it is not.

        A notebook is noted where its code is looked for, since what its cells printed does not count.
        """
        if is_notebook_name(path) and size <= self.caps.archive_bytes:
            return size <= self.caps.file_bytes
        if size > self.caps.file_bytes:
            self.refuse(path, said("left_large", size=in_bytes(self.caps.file_bytes)))
        return size <= self.caps.file_bytes

    def _may_fit(self, path: str, size: int) -> bool:
        """Tell whether a file may be read; archives and notebooks, which hold other files, may be larger
        than plain ones."""
        if (is_archive_name(path) or may_hold_notebook(path)) and size <= self.caps.archive_bytes:
            return True
        return self.fits(path, size)

    def admit(self, name: str, size: int, refused: Message | None) -> str | None:
        """Return the clean path of an archive's member that may be read; None, with a note, for others."""
        path = self.clean(name)
        if path is not None and refused is not None:
            self.refuse(path, refused)
            return None
        return path if path is not None and self._may_fit(path, size) else None

    def note(self, message: Message, source: str = "") -> None:
        """Add a note, unless it was made before."""
        remark = note(message, source)
        if remark in self.notes:
            return
        if len(self.notes) < _MOST_NOTES:
            self.notes.append(remark)
        else:
            self._unsaid += 1

    def refuse(self, name: str, reason: Message) -> None:
        """Note that a file is left out, and why."""
        self.note(said("intake_left_out", source=shown(name), reason=reason), shown(name))

    def withdraw(self, name: str) -> None:
        """Withdraw the note that a file was left out."""
        self.notes = [remark for remark in self.notes if remark.source != shown(name)]

    def all_remarks(self) -> tuple[Remark, ...]:
        """Return all remarks, the notes first."""
        more = [note(said("intake_more", count=self._unsaid))] if self._unsaid else []
        return (*self.notes, *more, *self.remarks)


# --- folders -------------------------------------------------------------------------------------


def folder_entries(folder: Path, sieve: Sieve) -> list[Entry]:
    """List the files of a folder. Raises Unreached where the machine cannot read it."""
    sieve.around = _lone_folders(folder)
    found = list(islice(_walk(folder, "", sieve), sieve.caps.members + 1))
    if len(found) > sieve.caps.members:
        sieve.note(said("intake_folder_full", count=sieve.caps.members))
        sieve.unseen[said("unseen_entries", count=sieve.caps.members)] = None
    return [entry for entry in found[: sieve.caps.members] if entry is not None]


def _lone_folders(folder: Path) -> tuple[str, ...]:
    """Return the folders that lie in a folder, one in the other, with nothing beside them."""
    around = list[str]()
    with suppress(OSError):  # what cannot be read is told where it is listed
        while len(around) < _MOST_AROUND:
            with os.scandir(folder) as found:
                inside = [*islice((each for each in found if not is_junk((each.name,))), 2)]
            if len(inside) != 1 or not inside[0].is_dir(follow_symlinks=False):
                break
            around.append(inside[0].name)
            folder = folder / inside[0].name
    return tuple(around)


def _walk(folder: Path, prefix: str, sieve: Sieve) -> Iterator[Entry | None]:
    """Yield the files below a folder, sorted by name; None for whatever is no readable file."""
    try:
        names = sorted(file.name for file in folder.iterdir())
    except OSError as error:
        raise unreached_error(prefix or folder.name, error) from None
    for name in names:
        path = sieve.clean(prefix + name)
        if path is None:
            yield None
            continue
        try:
            kind = stat.S_IFMT((folder / name).lstat().st_mode)
        except OSError as error:
            raise unreached_error(path, error) from None
        if kind == stat.S_IFDIR:
            yield None
            yield from _walk(folder / name, f"{prefix}{name}/", sieve)
        elif kind == stat.S_IFREG:
            yield file_entry(folder / name, path, is_cleaned=is_changed(prefix + name, path))
        else:
            sieve.refuse(path, said("left_link" if kind == stat.S_IFLNK else "left_not_regular"))
            yield None


def file_entry(file: Path, path: str, *, is_cleaned: bool = False) -> Entry:
    """Return the entry of a file on the disk."""
    return Entry(path, partial(read_file, file, path), is_cleaned, utc_time(file.lstat().st_mtime))
