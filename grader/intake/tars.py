"""Reads a submission in a tar archive, plain or gzipped.

Headers are parsed here, and not by Python's ``tarfile``, which trusts them: it seeks to whatever end they
claim, copies all global records for every member, and parses records in a time that grows with the square of
their length. Here, every step consumes bytes that exist, so the work is proportional to what was unpacked,
which is counted. Reading stops where a limit is exceeded or the archive is broken, and what was read before
is kept.
"""

from __future__ import annotations

import re
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Final

from grader.intake.files import KIB, MIB, Caps, Entry, Refusal, Sieve, utc_time
from grader.intake.names import is_changed
from grader.languages import Message, said
from grader.text import in_bytes

GZIP_MAGIC: Final = b"\x1f\x8b"


class _Stop(Exception):  # noqa: N818 - control flow within this file
    """Reading ends here: a limit is exceeded, or, if none is given, the archive is damaged."""

    def __init__(self, limit: Message | None = None) -> None:
        self.limit = limit
        super().__init__(limit)


def tar_entries(content: bytes, sieve: Sieve) -> list[Entry]:
    """List the files of a tar archive. Raises Refusal if none can be read."""
    entries: list[Entry] = []
    try:
        for entry in _entries(_Tar(content, sieve.caps), sieve):
            entries.append(entry)  # noqa: PERF402 - one by one: what came before an error is kept
    except _Stop as stop:
        why = stop.limit
        if not entries:
            raise Refusal(said("archive_unread", why=why) if why else said("archive_damaged")) from None
        sieve.note(said("intake_unread", why=why) if why else said("intake_damaged"))
    return entries


def _entries(tar: _Tar, sieve: Sieve) -> Iterator[Entry]:
    for number, member in enumerate(_members(tar)):
        if number >= sieve.caps.members:
            raise _Stop(said("unread_members", count=sieve.caps.members))
        path = None if member.isdir() else sieve.clean(member.name)
        end = tar.place + (0 if member.type in _WITHOUT_DATA else _padded_size(member.size))
        if path is not None and _is_plain(member, path, sieve) and sieve.may_fit(path, member.size):
            content, is_cleaned = tar.take(member.size), is_changed(member.name, path)
            yield _entry(path, content, is_cleaned, utc_time(member.mtime))
        tar.go_to(end)


def _entry(path: str, content: bytes, is_cleaned: bool, modified: str | None) -> Entry:
    return Entry(path, lambda most: content[:most], is_cleaned, modified)


def _is_plain(member: tarfile.TarInfo, path: str, sieve: Sieve) -> bool:
    if member.issym() or member.islnk():
        sieve.refuse(path, said("left_link"))
    elif not member.isreg() or member.type == tarfile.GNUTYPE_SPARSE:
        sieve.refuse(path, said("left_not_regular"))
    else:
        return True
    return False


# --- heads --------------------------------------------------------------------------------------

_BLOCK: Final = 512
"""A tar consists of blocks of 512 bytes."""
_RECORDS: Final = MIB
"""The records or the long name in front of a member take at most 1 MiB."""
_RECORD: Final = re.compile(rb"(\d{1,7}) ([^=\n]{1,300})=")
_MORE_BELOW, _MORE_BELOW_THAT = 482, 504
"""At these bytes the header of a sparse member, and each block after it, say whether another block
follows."""
_WITHOUT_DATA: Final = (
    *(tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.DIRTYPE),
    *(tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE),
)
"""Members of these types have no data."""


class _Tar:
    """The unpacked bytes of an archive, up to the caps, and the position up to which they were read."""

    def __init__(self, content: bytes, caps: Caps) -> None:
        self._content, self._end = _unpack(content, caps)
        self.place = 0

    def take(self, count: int) -> bytes:
        """Return the next bytes. Raises _Stop if there are fewer."""
        start = self.place
        self.go_to(start + count)
        return self._content[start : self.place]

    def go_to(self, place: int) -> None:
        """Move forward to a position. Raises _Stop if it lies behind or beyond the end."""
        if not self.place <= place <= len(self._content):
            raise self._end or _Stop()
        self.place = place

    def next_header(self) -> bytes:
        """Return the next header; b"" at the end of the archive."""
        is_over = 0 < self.place == len(self._content) and self._end is None
        block = b"" if is_over else self.take(_BLOCK)
        return block if block.strip(b"\0") else b""


def _members(tar: _Tar) -> Iterator[tarfile.TarInfo]:
    """Yield the headers of all members, with their records applied; the caller has to skip each one's
    data."""
    for_all: dict[str, str] = {}
    for_next: dict[str, str] = {}
    while block := tar.next_header():
        head = _parse_header(block)
        if head.type == tarfile.XGLTYPE:
            for_all |= _records(_read_header_data(tar, head))
        elif head.type in (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE):
            for_next = {**_records(_read_header_data(tar, head)), **for_next}
        elif head.type in (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK):
            key = "path" if head.type == tarfile.GNUTYPE_LONGNAME else "linkpath"
            for_next = {key: _text(_read_header_data(tar, head).partition(b"\0")[0]), **for_next}
        else:
            is_more = head.type == tarfile.GNUTYPE_SPARSE and block[_MORE_BELOW]
            while is_more:
                is_more = tar.take(_BLOCK)[_MORE_BELOW_THAT]
            yield _apply_records(head, {**for_all, **for_next})
            for_next = {}
    if for_next:
        raise _Stop()


def _parse_header(block: bytes) -> tarfile.TarInfo:
    """Parse the header of a member; its size remains a claim. Raises _Stop."""
    try:
        return tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        raise _Stop() from None


def _read_header_data(tar: _Tar, head: tarfile.TarInfo) -> bytes:
    """Return the data of a header that describes the next one. Raises _Stop."""
    if head.size > _RECORDS:
        raise _Stop(said("unread_head", size=in_bytes(_RECORDS)))
    content = tar.take(head.size)
    tar.go_to(tar.place + _padded_size(head.size) - head.size)
    return content


def _records(content: bytes) -> dict[str, str]:
    """Return the relevant records (``12 path=a.py`` and a newline), up to the first invalid one."""
    found, place = {}, 0
    while match := _RECORD.match(content, place):
        end = place + int(match[1])
        if not match.end() < end <= len(content):
            break
        key = _text(match[2])
        if key in ("path", "size") or key.startswith("GNU.sparse."):
            found[key] = _text(content[match.end() : end - 1])
        place = end
    return found


def _apply_records(head: tarfile.TarInfo, records: Mapping[str, str]) -> tarfile.TarInfo:
    """Return the header, overridden by the records. Raises _Stop."""
    head.name = records.get("GNU.sparse.name", records.get("path", head.name)).rstrip("/")
    if any(key.startswith("GNU.sparse.") for key in records):
        head.type = tarfile.GNUTYPE_SPARSE
    if "size" in records:
        if not re.fullmatch(r"[0-9]{1,20}", records["size"]):
            raise _Stop()
        head.size = int(records["size"])
    return head


def _text(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _padded_size(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK


# --- gzip ---------------------------------------------------------------------------------------

_GZIP: Final = 31
"""This window size makes zlib read gzip."""
_CHUNK: Final = 8 * KIB
"""Compressed bytes are decompressed in pieces of 8 KiB."""
_GZIPS: Final = 4096
"""At most 4096 gzip members in a row are read: some tools begin one every 64 KiB."""
_PADDING: Final = re.compile(rb"\0*")


def _unpack(content: bytes, caps: Caps) -> tuple[bytes, _Stop | None]:
    """Return the unpacked bytes up to the caps, and the reason if more were expected."""
    most = min(caps.unpacked_bytes, max(caps.total_bytes, len(content) * caps.ratio))
    is_packed = content.startswith(GZIP_MAGIC)
    found, is_whole = _gunzip(content, most + 1) if is_packed else (content[: most + 1], True)
    if len(found) <= most:
        return found, None if is_whole else _Stop()
    is_large = most == caps.unpacked_bytes
    limit = in_bytes(most) if is_large else said("times_its_size", count=caps.ratio)
    return found[:most], _Stop(said("unread_growth", limit=limit))


def _gunzip(content: bytes, most: int) -> tuple[bytes, bool]:
    """Return the first unpacked bytes of consecutive gzips, and whether they are undamaged so far."""
    found, place = bytearray(), 0
    for _ in range(_GZIPS):
        gzip = zlib.decompressobj(_GZIP)
        while not gzip.eof:
            part = content[place : place + _CHUNK]
            try:  # block by block, as what a call had unpacked before it failed is lost
                new = gzip.decompress(part, min(_BLOCK, most - len(found)))
            except zlib.error:
                return bytes(found), False
            found += new
            place += len(part) - len(gzip.unconsumed_tail) - len(gzip.unused_data)
            is_cut = not part and not new
            if is_cut or len(found) >= most:
                return bytes(found), not is_cut
        match = _PADDING.match(content, place)
        place = match.end() if match else place
        if not content.startswith(GZIP_MAGIC, place):
            return bytes(found), place == len(content)
    return bytes(found), False
