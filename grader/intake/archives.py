"""Archives that students hand in: zips and tars are read here, others by libraries.

Nothing is ever extracted to disk. Members of a zip are read into memory, each up to the cap for a file, so a
zip bomb does no harm, whatever sizes it declares. Encrypted members, links and rare compression methods are
left out one by one; a zip whose members overlap, or that has too many, is refused as a whole, since no honest
tool writes one. An archive inside of a submission is opened as well, one level deep, within the caps.

A tar archive, plain or gzipped, is read as a stream. What ``tarfile`` makes of the headers may take any time
and memory: it happens in the process that reads a submission (``grader/reader.py``), which has bounds. Here,
what is unpacked is counted. Reading stops where a limit is exceeded or the archive is broken, and what was
read before is kept.
"""

from __future__ import annotations

import gzip
import io
import mmap
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice, pairwise
from pathlib import Path, PurePosixPath
from time import mktime
from typing import IO, Any, Final, cast

from grader.intake.candidates import is_named_like_exercise
from grader.intake.files import KIB, Caps, Entry, LeftOut, Refusal, Sieve, folders_around, utc_time
from grader.intake.names import (
    ARCHIVE_SUFFIXES,
    PACKED_FILE,
    decode_zip_name,
    is_archive_name,
    is_changed,
    may_hide_archive,
)
from grader.languages import Message, said
from grader.model import Remark
from grader.reader import check_reading
from grader.text import in_bytes, shown
from lab.came import HEAD_BYTES, kind_inside

GZIP_MAGIC: Final = b"\x1f\x8b"
_BLOCK: Final = tarfile.BLOCKSIZE
"""A tar is read block by block, so that its last one is known."""


class _Stop(Exception):  # noqa: N818 - control flow within this file
    """Reading ends here, since a limit is exceeded."""

    def __init__(self, limit: Message) -> None:
        self.limit = limit
        super().__init__(limit)


def tar_entries(content: bytes, sieve: Sieve) -> list[Entry]:
    """List the files of a tar archive. Raises Refusal if none can be read."""
    entries: list[Entry] = []
    why: Message | None = None
    try:
        for entry in _entries(content, sieve):
            entries.append(entry)  # noqa: PERF402 - one by one: what came before an error is kept
        return entries
    except _Stop as stop:
        why = stop.limit
        sieve.unseen[said("unseen_rest", why=why)] = None
    except Exception:  # noqa: BLE001, S110 - tarfile raises nearly anything on bytes made to break it
        pass
    if not entries:
        raise Refusal(said("archive_unread", why=why) if why else said("archive_damaged"))
    sieve.note(said("intake_unread", why=why) if why else said("intake_damaged"))
    return entries


def _open_tar(stream: _Counted) -> tarfile.TarFile:
    return tarfile.open(fileobj=stream, mode="r|", bufsize=_BLOCK, encoding="utf-8", errors="surrogateescape")


def _names(content: bytes, caps: Caps) -> Iterator[str]:
    """Yield the names of a tar's files, as far as it can be read."""
    with suppress(Exception), _open_tar(_Counted(content, caps)) as tar:
        yield from (member.name for member in islice(tar, caps.members) if not member.isdir())


def _entries(content: bytes, sieve: Sieve) -> Iterator[Entry]:
    sieve.around = folders_around(_names(content, sieve.caps))
    stream = _Counted(content, sieve.caps)
    with _open_tar(stream) as tar:
        for number, member in enumerate(tar):
            if number >= sieve.caps.members:
                raise _Stop(said("unread_members", count=sieve.caps.members))
            path = None if member.isdir() else sieve.admit(member.name, member.size, _tar_refusal(member))
            if path is not None:
                yield _tar_entry(path, tar, member)
    if stream.last.strip(b"\0"):
        raise tarfile.ReadError  # tarfile takes a broken header for the end


def _tar_entry(path: str, tar: tarfile.TarFile, member: tarfile.TarInfo) -> Entry:
    """Return a member with its content. Raises ReadError if it is cut short."""
    file = tar.extractfile(member)
    content = file.read() if file is not None else b""
    if len(content) != member.size:
        raise tarfile.ReadError
    return Entry(path, lambda most: content[:most], is_changed(member.name, path), utc_time(member.mtime))


def _tar_refusal(member: tarfile.TarInfo) -> Message | None:
    if member.issym() or member.islnk():
        return said("left_link")
    return said("left_not_regular") if not member.isreg() or member.issparse() else None


class _Counted(io.RawIOBase):
    """The unpacked bytes of an archive, up to the caps. Reading beyond them raises _Stop."""

    def __init__(self, content: bytes, caps: Caps) -> None:
        super().__init__()
        most = min(caps.unpacked_bytes, max(caps.total_bytes, len(content) * caps.ratio))
        is_large = most == caps.unpacked_bytes
        self._limit = in_bytes(most) if is_large else said("times_its_size", count=caps.ratio)
        self._left = most
        self._file: IO[bytes] | gzip.GzipFile = io.BytesIO(content)
        if content.startswith(GZIP_MAGIC):
            self._file = gzip.GzipFile(fileobj=self._file)
        self._ends = 0
        self.last = b""
        """The block that was read last."""

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes. Raises ReadError where a header has claimed that there are more."""
        self.last = self._file.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(self.last)
        self._ends += not self.last
        if self._left < 0:
            raise _Stop(said("unread_growth", limit=self._limit))
        if self._ends > 1:
            raise tarfile.ReadError
        return self.last


# --- sevenzips --------------------------------------------------------------------------------------
# Reads a submission in a 7z archive: reading one means unpacking it, and its header may demand any work.
#
# That has no bound of its own: it happens in the process that reads a submission (``grader/reader.py``).


def sevenzip_entries(content: bytes, sieve: Sieve) -> list[Entry]:
    """List the files of a 7z archive. Raises Refusal where it cannot be read as a whole."""
    import py7zr

    caps = sieve.caps
    total = min(caps.unpacked_bytes, max(caps.total_bytes, len(content) * caps.ratio))
    try:
        with py7zr.SevenZipFile(io.BytesIO(content), max_extract_size=total) as archive:
            return list(
                _packed_entries(archive, _files(archive, caps, total), py7zr.io.BytesIOFactory(total), sieve)
            )
    except py7zr.exceptions.PasswordRequired:
        raise Refusal(said("sevenzip_encrypted")) from None
    except Refusal:
        raise
    except Exception:  # noqa: BLE001 - whatever the bytes brought about, want of memory among it
        raise Refusal(said("sevenzip_damaged")) from None


def _files(archive: Any, caps: Caps, total: int) -> list[Any]:
    """Return all members but folders. Raises Refusal where they are too many, too large, or share a name."""
    if archive.needs_password():
        raise Refusal(said("sevenzip_encrypted"))
    if len(archive.files) > caps.members:
        raise Refusal(said("sevenzip_members", count=caps.members))
    files = [file for file in archive.files if not file.is_directory]
    if sum(file.uncompressed for file in files) > total:
        raise Refusal(said("sevenzip_large", size=in_bytes(caps.unpacked_bytes), ratio=caps.ratio))
    if len({_key(file) for file in files}) < len(files):
        raise Refusal(said("sevenzip_damaged"))  # no honest tool writes a name twice
    return files


def _packed_entries(archive: Any, files: list[Any], factory: Any, sieve: Sieve) -> Iterator[Entry]:
    """Yield the regular files with their contents; all others are left out, with the reason."""
    sieve.around = folders_around(file.filename for file in files)
    plain = [file for file in files if _is_regular(file) and _is_below(file.filename)]
    archive.extract(targets={file.filename for file in plain}, factory=factory)
    for file in files:
        name = file.filename if _is_below(file.filename) else f"../{file.filename}"  # told as leading out
        reason = said("left_link" if file.is_symlink or file.is_junction else "left_not_regular")
        path = sieve.admit(name, file.uncompressed, None if file in plain else reason)
        if path is not None:
            content: bytes = factory.get(_key(file)).read()
            read = partial(lambda content, most: content[:most], content)
            modified = None
            with suppress(AttributeError, ValueError, OverflowError):
                modified = utc_time(file.lastwritetime.as_datetime().timestamp())
            yield Entry(path, read, is_changed(name, path), modified)


def _is_regular(file: Any) -> bool:
    if file.is_symlink or file.is_junction or file.is_socket:
        return False
    return file.posix_mode is None or stat.S_IFMT(file.st_fmt or 0) in (0, stat.S_IFREG)


def _is_below(name: str) -> bool:
    """Tell whether the library may unpack it; names that lead elsewhere are only reported."""
    return (
        not name.startswith(("/", "\\"))
        and ":" not in name
        and ".." not in name.replace("\\", "/").split("/")
    )


def _key(file: Any) -> str:
    return PurePosixPath(file.filename).as_posix()


SEVENZIP_MAGIC: Final = b"7z\xbc\xaf\x27\x1c"
_SEVENZIP_HEADER_BYTES: Final = 32
_SPLIT: Final = b"PK\x07\x08"
_ZIP64: Final = 0xFFFF
"""Stands for a number that another part of the zip has."""
_LONGEST_END: Final = 66 * KIB
"""The end of a zip's directory lies in its last 66 KiB."""
_MOST_ARCHIVES: Final = 8
"""At most 8 archives inside of a submission are opened: there may be one for each exercise."""


def archive_entries(content: bytes, sieve: Sieve, name: str) -> list[Entry] | None:
    """List the files of an archive that is called so; None if the bytes are no archive. Raises Refusal, and
    RuntimeError outside of a reader."""
    check_reading()
    if content.startswith(SEVENZIP_MAGIC):
        if _sevenzip_end(content) > len(content):
            raise Refusal(said("archive_part"))
        return sevenzip_entries(content, sieve)
    if content.startswith(GZIP_MAGIC) and not name.lower().endswith(ARCHIVE_SUFFIXES):
        return _packed_file(content, sieve, name)
    if content.startswith(GZIP_MAGIC) or content[257:262] == b"ustar":
        return tar_entries(content, sieve)
    return zip_entries(content, sieve) if content.startswith(b"PK") or _disk_of_end(content) else None


def _packed_file(content: bytes, sieve: Sieve, name: str) -> list[Entry]:
    """List the one file that gzip has packed, or what is in the tar that it is. Raises Refusal."""
    whole = b""
    with suppress(OSError, EOFError, zlib.error, _Stop):
        whole = _Counted(content, sieve.caps).read(sieve.caps.unpacked_bytes)
    if not whole or whole[257:262] == b"ustar":
        return tar_entries(content, sieve)
    last = name.rpartition("/")[2]
    inner = last[: -len(PACKED_FILE)] if last.lower().endswith(PACKED_FILE) else last
    path = sieve.admit(inner, len(whole), None)
    return [] if path is None else [Entry(path, lambda most: whole[:most])]


def _sevenzip_end(content: bytes) -> int:
    """Return where a 7z ends, as its first bytes say."""
    offset, size = struct.unpack("<2Q", content[12:28].ljust(16, b"\0"))
    return int(_SEVENZIP_HEADER_BYTES + offset + size)


def _disk_of_end(content: bytes) -> int:
    """Return the number of the part, from 0, in which a zip ends, as its last bytes say."""
    end = content.rfind(_DIRECTORY_END, -_LONGEST_END)
    disk = int.from_bytes(content[end + 4 : end + 6], "little") if end >= 0 else 0
    return 0 if disk == _ZIP64 else disk


def is_archive(content: bytes) -> bool:
    """Tell whether bytes begin as an archive, whatever its name, and as no document."""
    return kind_inside(content) == "archive"


def open_inner_archives(entries: Iterable[Entry], sieve: Sieve) -> list[Entry]:
    """Return the entries, with archives among them replaced by their contents.

    An archive's entries are placed below its name; archives inside of archives are not opened.
    """
    found = list(entries)
    archives = [entry for entry in found if is_archive_name(entry.path)]
    archives = archives or [entry for entry in found[:_MOST_ARCHIVES] if _hides_archive(entry)]
    for archive in archives[_MOST_ARCHIVES:]:
        sieve.refuse(archive.path, said("left_archives", count=_MOST_ARCHIVES))
        sieve.unseen[said("unseen_archives", count=_MOST_ARCHIVES)] = None
    left = sieve.caps.archive_bytes
    for archive in archives[:_MOST_ARCHIVES]:
        inner, count = _read_inner_archive(archive, left, sieve)
        left -= count
        if inner:
            found.remove(archive)
            found += [replace(entry, path=f"{archive.path}/{entry.path}") for entry in inner]
            message = said("intake_opened", source=shown(archive.path))
            sieve.remarks.append(Remark("opened", shown(archive.path), "", message))
    return found


def _hides_archive(entry: Entry) -> bool:
    """Tell whether a file that is called like code or a text is an archive."""
    try:
        if is_named_like_exercise(entry.path) or not may_hide_archive(entry.path):
            return False
        return is_archive(entry.read(HEAD_BYTES))
    except LeftOut:
        return False


def _read_inner_archive(archive: Entry, most: int, sieve: Sieve) -> tuple[list[Entry], int]:
    """Return the entries of an archive of at most this many bytes, and its size; nothing if it is larger."""
    try:
        content = sieve.read(archive, most + 1)
        if len(content) > most:
            sieve.unseen[said("unseen_bytes", size=in_bytes(sieve.caps.archive_bytes))] = None
            return [], 0
        return archive_entries(content, sieve, archive.path) or [], len(content)
    except (Refusal, LeftOut) as error:
        sieve.refuse(archive.path, error.reason)
        return [], 0


# --- zip -----------------------------------------------------------------------------------------

_READABLE: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Members are read in these compression methods only: the others unpack a whole block before they can be
stopped."""

_ENCRYPTED: Final = 0x1
"""This bit of a member's flags is set where the member is encrypted."""
_DIRECTORY_ENTRY: Final = b"PK\x01\x02"
_DIRECTORY_ENTRY_BYTES: Final = 46
"""An entry of the central directory has a fixed part of 46 bytes."""
_DIRECTORY_END: Final = b"PK\x05\x06"
_MEMBER: Final = b"PK\x03\x04"
_UTF_8_FLAG: Final = 0x8
"""This bit is set in the second byte of a member's flags where its name is declared to be UTF-8."""
_LOCAL_HEADER_BYTES: Final = 30
"""The header in front of a member has a fixed part of 30 bytes."""
_EXTRA_LENGTH: Final = 30
"""The length of an entry's extra fields is stored at byte 30 of the entry."""
_EXTRA_BYTES: Final = 4 * KIB
"""Extra fields of more than 4 KiB count as long; those of honest archives have about a hundred bytes."""
_LONG_EXTRAS: Final = 8
"""At most 8 entries of an archive may have long extra fields."""


def zip_entries(content: bytes, sieve: Sieve) -> list[Entry]:
    """List the files of a zip archive. Raises Refusal where it cannot be read as a whole."""
    if _disk_of_end(content):
        raise Refusal(said("archive_part"))
    archive = _open(content, sieve.caps)
    members = [info for info in archive.infolist() if not info.orig_filename.endswith(("/", "\\"))]
    if members and all(info.flag_bits & _ENCRYPTED for info in members):
        raise Refusal(said("zip_encrypted"))
    sieve.around = folders_around(decode_zip_name(info.orig_filename, info.flag_bits) for info in members)
    found = (_entry(archive, info, sieve) for info in members)
    return [entry for entry in found if entry is not None]


def wanted_members(content: bytes, caps: Caps, is_wanted: Callable[[str], bool]) -> list[Entry]:
    """List the members of a zip with certain names, under these. Raises Refusal if one cannot be read."""
    archive = _open(content, caps)
    names = {decode_zip_name(info.orig_filename, info.flag_bits): info for info in archive.infolist()}
    wanted = {name: info for name, info in names.items() if is_wanted(name)}
    for reason in filter(None, map(_refusal, wanted.values())):
        raise Refusal(reason)
    return [Entry(name, partial(_read, archive, info)) for name, info in wanted.items()]


def _open(content: bytes, caps: Caps) -> zipfile.ZipFile:
    # The time that zipfile needs for the extra fields of an entry grows with the square of their length.
    # Bytes in the contents of a file that look like an entry are counted too, but are rare.
    entries = [found.start() for found in re.finditer(_DIRECTORY_ENTRY, content)]
    if len(entries) > caps.members:
        raise Refusal(said("zip_members", count=caps.members))
    extras = (content[start + _EXTRA_LENGTH : start + _EXTRA_LENGTH + 2] for start in entries)
    if sum(int.from_bytes(extra, "little") > _EXTRA_BYTES for extra in extras) > _LONG_EXTRAS:
        raise Refusal(said("zip_extras"))
    try:
        archive = open_zip(io.BytesIO(content))
    except Exception as error:  # zipfile raises nearly anything on bytes made to break it
        raise Refusal(said("archive_part" if content.startswith(_SPLIT) else "zip_damaged")) from error
    starts = sorted((info.header_offset, info.compress_size) for info in archive.infolist())
    for (start, packed), (following, _) in pairwise([*starts, (archive.start_dir, 0)]):
        if start < 0 or start + _LOCAL_HEADER_BYTES + packed > following:
            raise Refusal(said("zip_overlaps"))
    return archive


def open_zip(source: Path | io.BytesIO) -> zipfile.ZipFile:
    """Open a zip, even if a name is declared to be UTF-8 and is not, as happens to names that were cut
    off."""
    try:
        return zipfile.ZipFile(source)
    except UnicodeDecodeError:
        if isinstance(source, io.BytesIO):
            copied = bytearray(source.getvalue())
            _clear_wrong_utf_8_flags(copied)
            return zipfile.ZipFile(io.BytesIO(copied))
        with source.open("rb") as file:
            mapped = _PrivateCopy(file.fileno(), 0, access=mmap.ACCESS_COPY)
    _clear_wrong_utf_8_flags(mapped)
    return zipfile.ZipFile(cast(IO[bytes], mapped))


class _PrivateCopy(mmap.mmap):
    """A private copy of a file in memory: changes to it do not reach the file."""

    def seekable(self) -> bool:
        """Tell zipfile that it can seek, which ``mmap`` itself does only from Python 3.13 on."""
        return True


def _clear_wrong_utf_8_flags(content: _PrivateCopy | bytearray) -> None:
    """Clear the UTF-8 flag of names that are not UTF-8, in the central directory and in the members'
    headers."""
    end = content.rfind(_DIRECTORY_END)
    size, start = struct.unpack("<2L", content[end + 12 : end + 20])
    place = end - size
    while 0 <= place < end and content[place : place + 4] == _DIRECTORY_ENTRY:
        counts = struct.unpack("<3H", content[place + 28 : place + 34])
        name = place + _DIRECTORY_ENTRY_BYTES
        try:
            bytes(content[name : name + counts[0]]).decode("utf-8")
        except UnicodeDecodeError:
            member = end - size - start + int.from_bytes(content[place + 42 : place + 46], "little")
            content[place + 9] &= ~_UTF_8_FLAG
            if content[member : member + 4] == _MEMBER:
                content[member + 7] &= ~_UTF_8_FLAG
        place = name + sum(counts)


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, sieve: Sieve) -> Entry | None:
    name = decode_zip_name(info.orig_filename, info.flag_bits)
    path = sieve.admit(name, info.file_size, _refusal(info))
    read = partial(_read, archive, info)
    modified = None
    with suppress(OverflowError, ValueError):
        modified = utc_time(mktime((*info.date_time, 0, 0, -1)))
    return None if path is None else Entry(path, read, is_changed(name, path), modified)


def _refusal(info: zipfile.ZipInfo) -> Message | None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return said("left_link")
    if kind not in (0, stat.S_IFREG):
        return said("left_not_regular")
    if info.flag_bits & _ENCRYPTED:
        return said("left_encrypted")
    if info.compress_type not in _READABLE:
        return said("left_packed")
    return None


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    try:
        with archive.open(info) as member:
            content = member.read(most)
    except Exception as error:  # see above
        raise LeftOut(said("left_damaged")) from error
    if len(content) != min(info.file_size, most):
        raise LeftOut(said("left_damaged"))
    return content
