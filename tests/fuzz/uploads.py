"""Targets for what students and platforms submit: archives, bulk downloads, and the files in them."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zlib import crc32

from grader.errors import IntakeError, Undecided, Unreached
from grader.intake import Caps, bulk_download
from grader.intake.archives import SEVENZIP_MAGIC, sevenzip_entries, tar_entries
from grader.intake.class_listing import find_hand_ins
from grader.intake.files import Entry, Sieve
from grader.intake.selection import select
from grader.intake.submissions import make_submission, read_hand_in, read_submission
from grader.model import Submission
from grader.reader import reading_here
from tests.grader.intake.steps import at_most

NEXT_FILE: Final = b"\x1e"
"""Separates two files of ``files``; the first line of each is its name."""
_BLOCK: Final = 512
_START: Final = 32
"""The bytes of a 7z that give the position of its header."""
_STEPS, _STEPS_A_BYTE = 400_000, 400
"""Calls that reading a tar may make: an empty gzip takes twenty bytes, and a few calls. What atheris puts
into the code that it watches makes some twenty times as many."""


@reading_here()
def archives(data: bytes) -> None:
    """A student submits these bytes; the checksums of a tar are corrected, so that more of it is read."""
    with _file("ada.zip", _with_checksums(data)) as path, suppress(IntakeError):
        _check(read_submission(path))


def tars(data: bytes) -> None:
    """Reading the headers of a tar takes steps in proportion to its bytes, whatever they claim."""
    content = _with_checksums(data)
    caps = Caps()
    with suppress(IntakeError), at_most(_STEPS + _STEPS_A_BYTE * len(content)):
        entries = tar_entries(content, Sieve(caps))
        got = sum(len(entry.read(caps.archive_bytes)) for entry in entries)
        assert got <= max(caps.total_bytes, caps.ratio * len(content))


def sevenzips(data: bytes) -> None:
    """A 7z with any header is read or refused; its checksums are corrected, so that more of it is read."""
    caps = Caps()
    with suppress(IntakeError):
        entries = sevenzip_entries(_with_sums(data), Sieve(caps))
        assert len(entries) <= caps.members
        assert sum(len(entry.read(caps.archive_bytes)) for entry in entries) <= caps.unpacked_bytes


@reading_here()
def downloads(data: bytes) -> None:
    """A platform's zip of these bytes: each of its students is read or refused."""
    with _file("download.zip", data) as path, suppress(IntakeError):
        folder = path.parent / "unpacked"
        folder.mkdir()
        unpacked = bulk_download.unpack(path, folder)
        for hand_in in find_hand_ins(unpacked.folder, broken=unpacked.broken).hand_ins:
            with suppress(Unreached):
                _check(read_hand_in(hand_in))


@reading_here()
def files(data: bytes) -> None:
    """The student's own files are selected from these, and repaired."""
    sieve = Sieve(Caps())
    entries = []
    for part in data.split(NEXT_FILE):
        name, _, content = part.partition(b"\n")
        path = sieve.clean(name.decode("utf-8", "replace"))
        if path is not None:
            entries.append(_entry(path, content))
    with suppress(Undecided):
        _check(make_submission("ada", select(entries, sieve), sieve))


def _entry(path: str, content: bytes) -> Entry:
    return Entry(path, lambda most: content[:most])


def _check(submission: Submission) -> None:
    """Check that files for a box have a bounded size, and stay below its folder."""
    caps = Caps()
    assert len(submission.files) <= caps.files
    assert all(len(content) <= caps.file_bytes for content in submission.files.values())
    for path in submission.files:
        assert not path.startswith("/")
        assert not {"", ".", ".."} & set(path.split("/"))


@contextmanager
def _file(name: str, content: bytes) -> Iterator[Path]:
    with TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        yield path


def _with_checksums(data: bytes) -> bytes:
    """Correct the checksum of every block that claims to be a file's header."""
    blocks = [data[start : start + _BLOCK] for start in range(0, len(data), _BLOCK)]
    return b"".join(_summed(block) if block[257:262] == b"ustar" else block for block in blocks)


def _with_sums(data: bytes) -> bytes:
    """Correct the checksums of a 7z: of its header, wherever that claims to be, and of its position."""
    if len(data) < _START:
        return data
    offset, count = struct.unpack("<QQ", data[12:28])
    head = data[_START + offset : _START + offset + count]
    where = data[12:28] + struct.pack("<I", crc32(head))
    return SEVENZIP_MAGIC + data[6:8] + struct.pack("<I", crc32(where)) + where + data[_START:]


def _summed(head: bytes) -> bytes:
    total = sum(head[:148]) + sum(head[156:]) + 8 * ord(" ")
    return head[:148] + b"%06o\0 " % total + head[156:]
