"""Files as they come from outside, and the most that is read of them.

Whatever lies around them, a folder or an archive, files come as entries: each has a clean name, and a way to
read its first bytes. On the disk only regular files are read; links are not followed, and nothing is waited
for. A sieve counts what is read, lets through what may be part of a submission, and notes the rest.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from grader.errors import IntakeError, Unreached
from grader.intake.names import (
    clean_part,
    collision_key,
    is_archive_name,
    is_changed,
    is_junk,
    numbered,
    parts_of,
)
from grader.intake.notebooks import MOST_BYTES, SUFFIX
from grader.languages import DEFAULT, Message, catalogue, said
from grader.model import Remark, note
from grader.text import in_bytes, shown

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that intake takes in; sizes in bytes."""

    file_bytes: int = 256 * KIB
    total_bytes: int = 2 * MIB
    files: int = 500
    """Files that are kept."""
    members: int = 50_000
    """Entries of an archive or a folder that are looked at, rubbish among them."""
    archive_bytes: int = 64 * MIB
    unpacked_bytes: int = 64 * MIB
    """What a compressed tar may unpack to; of a zip nothing is unpacked beyond ``file_bytes``."""
    read_bytes: int = 256 * MIB
    """What is read while a submission is looked through: some of it more than once, some for nothing."""
    ratio: int = 200
    """By how much a compressed tar may grow, once it has grown beyond ``total_bytes``."""
    depth: int = 12
    name_characters: int = 200


# --- on the disk ---------------------------------------------------------------------------------

NOT_REGULAR = "it is no regular file"

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
"""A pipe without a writer does not block."""


def read_regular(path: Path, most: int, *, follow: bool) -> bytes:
    """Return the first bytes of a regular file. Raises OSError, whose ``strerror`` says why not."""
    descriptor = os.open(path, _FLAGS | (0 if follow else getattr(os, "O_NOFOLLOW", 0)))
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, NOT_REGULAR)
        return file.read(most)


def kind_of(path: Path) -> int:
    """Return the kind of what stands at a path, links followed; 0 for nothing, or where it cannot be told."""
    try:
        return stat.S_IFMT(path.stat().st_mode)
    except (OSError, ValueError):
        return 0


def is_folder(path: Path) -> bool:
    """Tell whether a folder stands there; what cannot be told is none."""
    return kind_of(path) == stat.S_IFDIR


def is_file(path: Path) -> bool:
    """Tell whether a regular file stands there; what cannot be told is none."""
    return kind_of(path) == stat.S_IFREG


def unreached(name: str, error: OSError) -> Unreached:
    """Say that the machine does not give what is called so."""
    return Unreached(f"{shown(name)} cannot be read: {error.strerror}")


# --- entries -------------------------------------------------------------------------------------

_LEAST_READ: Final = 4 * KIB
"""What opening a file costs, however little it holds."""
_MOST_NOTES: Final = 20
"""At most 20 notes are made of one submission; how many more there would have been is said."""


class Refusal(IntakeError):  # noqa: N818 - named after what happened
    """A submission that cannot be read at all, with the reason as it is said in every language."""

    def __init__(self, reason: Message, *, path: Path | None = None) -> None:
        self.reason = reason
        super().__init__(catalogue(DEFAULT).say(reason), path=path)


class LeftOut(Exception):  # noqa: N818 - named after what happened
    """A file whose contents cannot be had, or whose name no file of a submission may have."""

    def __init__(self, reason: Message) -> None:
        self.reason = reason
        super().__init__(reason)


def read_file(file: Path, name: str, most: int) -> bytes:
    """Return the first bytes of a file on the disk. Raises LeftOut for what is none, and Unreached."""
    try:
        return read_regular(file, most, follow=False)
    except OSError as error:
        if error.strerror == NOT_REGULAR:
            raise LeftOut(said("left_not_regular")) from None
        if error.errno == errno.ELOOP:
            raise LeftOut(said("left_link")) from None
        raise unreached(name, error) from None


def clean_path(name: str, caps: Caps) -> tuple[str, ...]:
    """Return the parts of a path as they are meant: below the submission, without what nobody sees in them.

    A name is cleaned, and not refused for its signs: no-break spaces and direction marks come with
    screenshots and chats, backslashes and absolute paths with tools of Windows. Raises LeftOut.
    """
    if len(name) > caps.name_characters:
        raise LeftOut(said("left_long_name", count=caps.name_characters))
    parts = tuple(clean_part(part) for part in parts_of(name))
    if ".." in parts:
        raise LeftOut(said("left_way_out"))
    if len(parts) > caps.depth:
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
    notes: list[Remark] = field(default_factory=list)
    """What was left out, each once, up to as many as anybody reads."""
    remarks: list[Remark] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    """The files outside of the folder that is graded that are graded all the same."""
    _unsaid: int = 0
    _read: int = 0

    def path(self, name: str) -> str | None:
        """The clean path of a name; None for rubbish, and with a note for what is refused."""
        try:
            parts = clean_path(name, self.caps)
        except LeftOut as refusal:
            self.refuse(name, refusal.reason)
            return None
        return None if is_junk(parts) else "/".join(parts)

    def read(self, entry: Entry, most: int) -> bytes:
        """Return the first bytes of a file. Raises LeftOut, also once all files together are too much."""
        if self._read >= self.caps.read_bytes:
            raise LeftOut(said("left_read_enough", size=in_bytes(self.caps.read_bytes)))
        content = entry.read(most)
        self._read += max(len(content), _LEAST_READ)
        return content

    def fits(self, path: str, size: int) -> bool:
        """Tell whether a file is small enough to be read; notes it where it is not."""
        if size > self.caps.file_bytes:
            self.refuse(path, said("left_large", size=in_bytes(self.caps.file_bytes)))
        return size <= self.caps.file_bytes

    def may_fit(self, path: str, size: int) -> bool:
        """Tell whether a file may be of use; what holds other files in itself may be larger than they."""
        if is_archive_name(path) and size <= self.caps.archive_bytes:
            return True
        if path.lower().endswith(SUFFIX) and size <= MOST_BYTES:
            return True
        return self.fits(path, size)

    def note(self, message: Message, source: str = "") -> None:
        """Note something, once."""
        remark = note(message, source)
        if remark in self.notes:
            return
        if len(self.notes) < _MOST_NOTES:
            self.notes.append(remark)
        else:
            self._unsaid += 1

    def refuse(self, name: str, reason: Message) -> None:
        """Note what is left out, and why."""
        self.note(said("intake_left_out", source=shown(name), reason=reason), shown(name))

    def take_back(self, name: str) -> None:
        """Say no more that a file was left out."""
        self.notes = [remark for remark in self.notes if remark.source != shown(name)]

    def told(self) -> tuple[Remark, ...]:
        """All that there is to say, the notes first."""
        more = [note(said("intake_more", count=self._unsaid))] if self._unsaid else []
        return (*self.notes, *more, *self.remarks)


# --- folders -------------------------------------------------------------------------------------


def folder_entries(folder: Path, sieve: Sieve) -> list[Entry]:
    """List the files of a folder. Raises Unreached where the machine does not let it be read."""
    found = list(islice(_walk(folder, "", sieve), sieve.caps.members + 1))
    if len(found) > sieve.caps.members:
        sieve.note(said("intake_folder_full", count=sieve.caps.members))
    return [entry for entry in found[: sieve.caps.members] if entry is not None]


def _walk(folder: Path, prefix: str, sieve: Sieve) -> Iterator[Entry | None]:
    """The files below a folder, in the order of their names; None for what is no file to read."""
    try:
        names = sorted(file.name for file in folder.iterdir())
    except OSError as error:
        raise unreached(prefix or folder.name, error) from None
    for name in names:
        path = sieve.path(prefix + name)
        if path is None:
            yield None
            continue
        mode = _mode(folder / name, path)
        if mode == stat.S_IFDIR:
            yield None
            yield from _walk(folder / name, f"{prefix}{name}/", sieve)
        else:
            entry = _entry(folder / name, path, mode, sieve)
            yield entry and replace(entry, is_cleaned=is_changed(prefix + name, path))


def _entry(file: Path, path: str, kind: int, sieve: Sieve) -> Entry | None:
    if kind == stat.S_IFLNK:
        sieve.refuse(path, said("left_link"))
    elif kind != stat.S_IFREG:
        sieve.refuse(path, said("left_not_regular"))
    else:
        return Entry(path, partial(read_file, file, path))
    return None


def _mode(file: Path, path: str) -> int:
    try:
        return stat.S_IFMT(file.lstat().st_mode)
    except OSError as error:
        raise unreached(path, error) from None
