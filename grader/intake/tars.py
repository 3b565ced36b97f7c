"""A submission in a tar archive, plain or gzipped.

Heads are followed here, and not by Python's ``tarfile``, which believes them: it goes on to whatever end
they claim, keeps all global records once more for every member, and looks for records in a time that grows
with the square of their length. Here every step takes bytes that are there, so the work is in proportion to
what was unpacked, which is counted. Reading stops where a limit is passed or the archive is broken, and what
came before is kept.
"""

from __future__ import annotations

import re
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Final

from grader.intake.files import KIB, MIB, Caps, Entry, Refusal, Sieve
from grader.intake.names import is_changed
from grader.languages import Message, said
from grader.text import in_bytes

GZIP_MAGIC: Final = b"\x1f\x8b"


class _Stop(Exception):  # noqa: N818 - control flow within this file
    """No more of the archive is read: a limit is passed, or without one it is damaged."""

    def __init__(self, limit: Message | None = None) -> None:
        self.limit = limit
        super().__init__(limit)


def tar_entries(content: bytes, sieve: Sieve) -> list[Entry]:
    """Read the files of a tar archive. Raises IntakeError where there is nothing to be had."""
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
        path = None if member.isdir() else sieve.path(member.name)
        end = tar.place + (0 if member.type in _WITHOUT_DATA else _in_blocks(member.size))
        if path is not None and _is_plain(member, path, sieve) and sieve.may_fit(path, member.size):
            yield _entry(path, tar.take(member.size), is_changed(member.name, path))
        tar.go_to(end)


def _entry(path: str, content: bytes, is_cleaned: bool) -> Entry:
    return Entry(path, lambda most: content[:most], is_cleaned)


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
_RECORDS: Final = MIB
"""At most 1 MiB of records, or of a long name, stand before a member."""
_RECORD: Final = re.compile(rb"(\d{1,7}) ([^=\n]{1,300})=")
_MORE_BELOW, _MORE_BELOW_THAT = 482, 504
"""Where the head of a sparse member, and each block after it, say that another block belongs to it."""
_WITHOUT_DATA: Final = (
    *(tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.DIRTYPE),
    *(tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE),
)


class _Tar:
    """The unpacked bytes of an archive, as many as the caps let through, and how far they were read."""

    def __init__(self, content: bytes, caps: Caps) -> None:
        self._content, self._end = _unpacked(content, caps)
        self.place = 0

    def take(self, count: int) -> bytes:
        """Return the next bytes. Raises _Stop where there are not so many."""
        start = self.place
        self.go_to(start + count)
        return self._content[start : self.place]

    def go_to(self, place: int) -> None:
        """Go on, never back. Raises _Stop where nothing is there."""
        if not self.place <= place <= len(self._content):
            raise self._end or _Stop()
        self.place = place

    def block(self) -> bytes:
        """Return the next head; nothing at the end of the archive."""
        is_over = 0 < self.place == len(self._content) and self._end is None
        block = b"" if is_over else self.take(_BLOCK)
        return block if block.strip(b"\0") else b""


def _members(tar: _Tar) -> Iterator[tarfile.TarInfo]:
    """The heads of all members, with what stands before them; whoever takes one goes on beyond its data."""
    for_all: dict[str, str] = {}
    for_next: dict[str, str] = {}
    while block := tar.block():
        head = _head(block)
        if head.type == tarfile.XGLTYPE:
            for_all |= _records(_before(tar, head))
        elif head.type in (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE):
            for_next = {**_records(_before(tar, head)), **for_next}
        elif head.type in (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK):
            key = "path" if head.type == tarfile.GNUTYPE_LONGNAME else "linkpath"
            for_next = {key: _text(_before(tar, head).partition(b"\0")[0]), **for_next}
        else:
            is_more = head.type == tarfile.GNUTYPE_SPARSE and block[_MORE_BELOW]
            while is_more:
                is_more = tar.take(_BLOCK)[_MORE_BELOW_THAT]
            yield _told(head, {**for_all, **for_next})
            for_next = {}
    if for_next:
        raise _Stop()


def _head(block: bytes) -> tarfile.TarInfo:
    """What the head of a member says; its size is a claim still. Raises _Stop."""
    try:
        return tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        raise _Stop() from None


def _before(tar: _Tar, head: tarfile.TarInfo) -> bytes:
    """What a head that tells of the next one has for its data. Raises _Stop."""
    if head.size > _RECORDS:
        raise _Stop(said("unread_head", size=in_bytes(_RECORDS)))
    content = tar.take(head.size)
    tar.go_to(tar.place + _in_blocks(head.size) - head.size)
    return content


def _records(content: bytes) -> dict[str, str]:
    """What counts of the records, up to the first that is none: ``12 path=a.py`` and a new line."""
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


def _told(head: tarfile.TarInfo, records: Mapping[str, str]) -> tarfile.TarInfo:
    """The head with what the records say instead. Raises _Stop."""
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


def _in_blocks(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK


# --- gzip ---------------------------------------------------------------------------------------

_GZIP: Final = 31
"""Has zlib read a gzip."""
_CHUNK: Final = 8 * KIB
_GZIPS: Final = 4096
"""A gzip may be several in a row: some tools begin one every 64 KiB."""
_PADDING: Final = re.compile(rb"\0*")


def _unpacked(content: bytes, caps: Caps) -> tuple[bytes, _Stop | None]:
    """The unpacked bytes up to the caps, and why there are no more of them, where there should be."""
    most = min(caps.unpacked_bytes, max(caps.total_bytes, len(content) * caps.ratio))
    is_packed = content.startswith(GZIP_MAGIC)
    found, is_whole = _gunzipped(content, most + 1) if is_packed else (content[: most + 1], True)
    if len(found) <= most:
        return found, None if is_whole else _Stop()
    is_large = most == caps.unpacked_bytes
    limit = in_bytes(most) if is_large else said("times_its_size", count=caps.ratio)
    return found[:most], _Stop(said("unread_growth", limit=limit))


def _gunzipped(content: bytes, most: int) -> tuple[bytes, bool]:
    """The first bytes of what one gzip after the other unpacks to, and whether all is well so far."""
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
