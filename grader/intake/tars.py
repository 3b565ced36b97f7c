"""A submission in a tar archive, plain or gzipped.

The archive is read as a stream, once, and what it unpacks to is counted on the way; reading stops
where a limit is passed or the archive is broken, and what came before is kept.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Callable, Iterator
from typing import Final

from grader.errors import IntakeError
from grader.intake.caps import Caps
from grader.intake.entries import Entry, Sieve
from grader.intake.regular_files import NOT_REGULAR
from grader.text import in_bytes

GZIP_MAGIC: Final = b"\x1f\x8b"


class _Stop(Exception):  # noqa: N818 - control flow within this file
    """Why no more of the archive is read."""


class _Counted(io.RawIOBase):
    """The unpacked bytes of an archive, as many as the caps let through."""

    def __init__(self, content: bytes, caps: Caps) -> None:
        packed = content.startswith(GZIP_MAGIC)
        self._source = gzip.GzipFile(fileobj=io.BytesIO(content)) if packed else io.BytesIO(content)
        self._caps, self._packed, self._count = caps, len(content), 0

    def read(self, count: int = -1) -> bytes:
        """Return the next bytes. Raises _Stop beyond the caps."""
        part = self._source.read(min(count, self._caps.file_bytes) if count >= 0 else self._caps.file_bytes)
        self._count += len(part)
        if self._count > self._caps.unpacked_bytes:
            raise _Stop(f"it unpacks to more than {in_bytes(self._caps.unpacked_bytes)}")
        if self._count > max(self._caps.total_bytes, self._packed * self._caps.ratio):
            raise _Stop(f"it unpacks to more than {self._caps.ratio} times its size")
        return part


def tar_entries(content: bytes, sieve: Sieve) -> list[Entry]:
    """Read the files of a tar archive. Raises IntakeError where there is nothing to be had."""
    entries: list[Entry] = []
    reason = None
    try:
        for entry in _members(content, sieve):
            entries.append(entry)  # noqa: PERF402 - one by one: what came before an error is kept
    except _Stop as stop:
        reason = f"the archive was not read to its end: {stop}"
    except Exception:  # noqa: BLE001 - tarfile, gzip and zlib raise nearly anything on bytes made to break them
        reason = "the archive is damaged or cut short: make it again, and check that it opens"
    if reason and not entries:
        raise IntakeError(reason)
    if reason:
        sieve.notes.add(f"{reason[0].upper()}{reason[1:]}.")
    return entries


def _members(content: bytes, sieve: Sieve) -> Iterator[Entry]:
    with tarfile.open(fileobj=_Counted(content, sieve.caps), mode="r|", errorlevel=2) as archive:
        for number, member in enumerate(archive):
            if number >= sieve.caps.members:
                raise _Stop(f"it holds more than {sieve.caps.members} entries")
            path = None if member.isdir() else sieve.path(member.name)
            if path is not None and _is_plain(member, path, sieve) and sieve.may_fit(path, member.size):
                yield Entry(path, _contents(archive, member))


def _is_plain(member: tarfile.TarInfo, path: str, sieve: Sieve) -> bool:
    if member.issym() or member.islnk():
        sieve.refuse(path, "it is a link, and links are not followed")
    elif not member.isreg() or member.issparse():
        sieve.refuse(path, NOT_REGULAR)
    else:
        return True
    return False


def _contents(archive: tarfile.TarFile, member: tarfile.TarInfo) -> Callable[[int], bytes]:
    """Read a member now, as the stream passes only once."""
    file = archive.extractfile(member)
    content = file.read() if file else b""
    return lambda most: content[:most]
