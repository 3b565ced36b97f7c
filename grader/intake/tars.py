"""Reads a submission in a tar archive, plain or gzipped, as a stream.

What ``tarfile`` makes of the headers may take any time and memory: it happens in the process that reads a
submission (``grader/reader.py``), which has bounds. Here, what is unpacked is counted. Reading stops where a
limit is exceeded or the archive is broken, and what was read before is kept.
"""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import PurePosixPath
from typing import IO, Any, Final

from grader.intake.files import Caps, Entry, Refusal, Sieve, utc_time
from grader.intake.names import is_changed
from grader.languages import Message, said
from grader.text import in_bytes

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
    except Exception:  # noqa: BLE001, S110 - tarfile raises nearly anything on bytes made to break it
        pass
    if not entries:
        raise Refusal(said("archive_unread", why=why) if why else said("archive_damaged"))
    sieve.note(said("intake_unread", why=why) if why else said("intake_damaged"))
    return entries


def _entries(content: bytes, sieve: Sieve) -> Iterator[Entry]:
    stream = _Counted(content, sieve.caps)
    with tarfile.open(
        fileobj=stream, mode="r|", bufsize=_BLOCK, encoding="utf-8", errors="surrogateescape"
    ) as tar:
        for number, member in enumerate(tar):
            if number >= sieve.caps.members:
                raise _Stop(said("unread_members", count=sieve.caps.members))
            path = None if member.isdir() else sieve.admit(member.name, member.size, _refusal(member))
            if path is not None:
                yield _entry(path, tar, member)
    if stream.last.strip(b"\0"):
        raise tarfile.ReadError  # tarfile takes a broken header for the end


def _entry(path: str, tar: tarfile.TarFile, member: tarfile.TarInfo) -> Entry:
    """Return a member with its content. Raises ReadError if it is cut short."""
    file = tar.extractfile(member)
    content = file.read() if file is not None else b""
    if len(content) != member.size:
        raise tarfile.ReadError
    return Entry(path, lambda most: content[:most], is_changed(member.name, path), utc_time(member.mtime))


def _refusal(member: tarfile.TarInfo) -> Message | None:
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
    plain = [file for file in files if _is_regular(file) and _is_below(file.filename)]
    archive.extract(targets={file.filename for file in plain}, factory=factory)
    for file in files:
        name = file.filename if _is_below(file.filename) else f"../{file.filename}"  # told as leading out
        reason = said("left_link" if file.is_symlink or file.is_junction else "left_not_regular")
        path = sieve.admit(name, file.uncompressed, None if file in plain else reason)
        if path is not None:
            content: bytes = factory.get(_key(file)).read()
            read = partial(lambda content, most: content[:most], content)
            yield Entry(path, read, is_changed(name, path), _time(file))


def _time(file: Any) -> str | None:
    with suppress(AttributeError, ValueError, OverflowError):
        return utc_time(file.lastwritetime.as_datetime().timestamp())
    return None


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
