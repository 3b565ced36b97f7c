"""A submission in a zip archive.

Nothing is ever extracted to disk: members are read into memory, each up to the cap for a file, so
a bomb stays packed whatever sizes it declares. Encrypted members, links and rare compressions are
left out one by one; an archive whose members overlap, or that has too many, is refused whole, as
no honest tool writes such a one.
"""

from __future__ import annotations

import io
import mmap
import re
import stat
import struct
import zipfile
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import IO, Final, cast

from grader.errors import IntakeError
from grader.intake.caps import KIB
from grader.intake.entries import Entry, Sieve, Unreadable
from grader.intake.names import is_changed, zip_name
from grader.intake.regular_files import LINK, NOT_REGULAR

_READABLE: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The other methods unpack a block whole before they can be stopped."""

_ENCRYPTED: Final = 0x1
_DIRECTORY_ENTRY: Final = b"PK\x01\x02"
_DIRECTORY_ENTRY_BYTES: Final = 46
_DIRECTORY_END: Final = b"PK\x05\x06"
_MEMBER: Final = b"PK\x03\x04"
_SAYS_UTF_8: Final = 0x8
"""In the higher byte of the flags."""
_LOCAL_HEADER_BYTES: Final = 30
_EXTRA_LENGTH: Final = 30
"""Where an entry of the directory has the length of its extra fields."""
_EXTRA_BYTES: Final = 4 * KIB
_LONG_EXTRAS: Final = 8
"""At most 8 entries have more than 4 KiB of extra fields, where honest ones have a hundred bytes."""


def zip_entries(content: bytes, sieve: Sieve) -> list[Entry]:
    """List the files of a zip archive. Raises IntakeError where it cannot be read as a whole."""
    _check_directory(content, sieve.caps.members)
    try:
        archive = open_zip(io.BytesIO(content))
    except Exception as error:  # zipfile raises nearly anything on bytes made to break it
        raise IntakeError("the zip is damaged or cut short: make it again, and check it opens") from error
    members = [info for info in archive.infolist() if not info.orig_filename.endswith(("/", "\\"))]
    if members and all(info.flag_bits & _ENCRYPTED for info in members):
        raise IntakeError("the zip is encrypted: make it again, without a password")
    _check_overlap(archive)
    found = (_entry(archive, info, sieve) for info in members)
    return [entry for entry in found if entry is not None]


def open_zip(source: Path | io.BytesIO) -> zipfile.ZipFile:
    """Open an archive, also where a name in it is said to be UTF-8 and is not, as one that was cut is."""
    try:
        return zipfile.ZipFile(source)
    except UnicodeDecodeError:
        if isinstance(source, Path):
            with source.open("rb") as file:
                copied: _Copy | bytearray = _Copy(file.fileno(), 0, access=mmap.ACCESS_COPY)
        else:
            copied = bytearray(source.getvalue())
    _say_no_utf_8(copied)
    return zipfile.ZipFile(cast(IO[bytes], copied) if isinstance(copied, _Copy) else io.BytesIO(copied))


class _Copy(mmap.mmap):
    """A file to change in memory alone."""

    def seekable(self) -> bool:
        """It is, which Python before 3.13 does not say."""
        return True


def _say_no_utf_8(content: _Copy | bytearray) -> None:
    """Take the claim back where it is wrong, in the directory of an archive and before each member."""
    end = content.rfind(_DIRECTORY_END)
    size, start = struct.unpack("<2L", content[end + 12 : end + 20])
    place = end - size
    before = place - start
    while 0 <= place < end and content[place : place + 4] == _DIRECTORY_ENTRY:
        counts = struct.unpack("<3H", content[place + 28 : place + 34])
        name = place + _DIRECTORY_ENTRY_BYTES
        try:
            bytes(content[name : name + counts[0]]).decode("utf-8")
        except UnicodeDecodeError:
            member = before + int.from_bytes(content[place + 42 : place + 46], "little")
            content[place + 9] &= ~_SAYS_UTF_8
            if member >= 0 and content[member : member + 4] == _MEMBER:
                content[member + 7] &= ~_SAYS_UTF_8
        place = name + sum(counts)


def _check_directory(content: bytes, most: int) -> None:
    """See that zipfile can take in the directory: for the extra fields of an entry it needs a time that grows
    with the square of their length. What only looks like an entry, in the contents of a file, is rare."""
    entries = [found.start() for found in re.finditer(_DIRECTORY_ENTRY, content)]
    if len(entries) > most:
        raise IntakeError(f"the zip holds more than {most} entries: hand in your own files only")
    extras = (content[start + _EXTRA_LENGTH : start + _EXTRA_LENGTH + 2] for start in entries)
    if sum(int.from_bytes(extra, "little") > _EXTRA_BYTES for extra in extras) > _LONG_EXTRAS:
        raise IntakeError("the zip is no honest one: its directory is full of other things. Make it again")


def _check_overlap(archive: zipfile.ZipFile) -> None:
    """Each member needs bytes of its own, before those of the next and of the directory."""
    starts = sorted((info.header_offset, info.compress_size) for info in archive.infolist())
    for (start, packed), (following, _) in pairwise([*starts, (archive.start_dir, 0)]):
        if start < 0 or start + _LOCAL_HEADER_BYTES + packed > following:
            raise IntakeError("the zip is no honest one: its members overlap. Make it again")


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, sieve: Sieve) -> Entry | None:
    name = zip_name(info.orig_filename, info.flag_bits)
    path = sieve.path(name)
    if path is None:
        return None
    reason = _refusal(info)
    if reason:
        sieve.refuse(path, reason)
        return None
    if not sieve.may_fit(path, info.file_size):
        return None
    return Entry(path, partial(_read, archive, info), is_changed(name, path))


def _refusal(info: zipfile.ZipInfo) -> str | None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return LINK
    if kind not in (0, stat.S_IFREG):
        return NOT_REGULAR
    if info.flag_bits & _ENCRYPTED:
        return "it is encrypted"
    if info.compress_type not in _READABLE:
        return "it is packed in a way that is not read here: use plain zip"
    return None


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    try:
        with archive.open(info) as member:
            content = member.read(most)
    except Exception as error:  # see above
        raise Unreadable("it is damaged in the zip") from error
    if len(content) != min(info.file_size, most):
        raise Unreadable("it is damaged in the zip")
    return content
