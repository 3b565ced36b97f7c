"""Archives that have no end: archives in archives, an archive that holds itself, and sizes of 64 bits."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from pathlib import Path
from random import Random

import pytest

from grader.errors import IntakeError
from grader.intake import Caps, archives, read_submission
from grader.intake.archives import zip_entries
from grader.intake.files import Entry, Sieve
from grader.model import Submission
from tests.grader.intake import shapes
from tests.grader.intake.told import beside_notes, notes

DFS = "solvers/dfs.py"
CODE = b"class DFS: pass\n"


def zipped(*members: tuple[str, bytes], large: bool = False) -> bytes:
    if not large:
        return shapes.zipped(dict(members))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members:
            with archive.open(name, "w", force_zip64=True) as member:
                member.write(content)
    return buffer.getvalue()


def tarred(*members: tuple[str, bytes]) -> bytes:
    return shapes.tarred(dict(members))


def read(tmp_path: Path, content: bytes, name: str = "ada.zip") -> Submission:
    path = tmp_path / name
    path.write_bytes(content)
    return read_submission(path)


@pytest.mark.parametrize("levels", [2, 60])
@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_archives_in_archives_end_at_the_second(kind: str, levels: int, tmp_path: Path) -> None:
    pack = zipped if kind == "zip" else tarred
    content = pack((DFS, CODE))
    for _ in range(levels):
        content = pack((f"more.{kind}", content))
    assert DFS not in read(tmp_path, content, f"ada.{kind}").files


def test_a_gzip_of_a_gzip_is_no_submission(tmp_path: Path) -> None:
    content = CODE
    for _ in range(60):
        content = gzip.compress(content)
    with pytest.raises(IntakeError):
        read(tmp_path, content, "ada.tar.gz")


def test_an_archive_that_holds_itself_is_opened_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quine: whoever unpacks it gets the same archive again."""
    reads: list[int] = []

    def itself(most: int) -> bytes:
        reads.append(most)
        return b"PK"

    monkeypatch.setattr(archives, "archive_entries", lambda *_: [Entry("itself.zip", itself)])
    sieve = Sieve(Caps())
    found = archives.open_inner_archives([Entry("itself.zip", itself)], sieve)
    assert [entry.path for entry in found] == ["itself.zip/itself.zip"]
    assert reads == [sieve.caps.archive_bytes + 1]


def test_many_archives_beside_each_other_are_opened_up_to_a_number(tmp_path: Path) -> None:
    bomb = zipped(("zeros.py", bytes(200_000)))
    submission = read(tmp_path, zipped(*((f"bomb{number}.zip", bomb) for number in range(500))))
    assert sum(map(len, submission.files.values())) <= Caps().total_bytes
    assert len(beside_notes(submission)) <= 10
    assert "bomb8.zip was left out: 8 archives of a submission are opened at the most." in notes(submission)


def test_archives_in_an_archive_share_its_size() -> None:
    """All that were opened are held in memory together."""
    large = zipped((DFS, CODE), ("noise.bin", Random(1).randbytes(350_000)))
    small = zipped(("helper.py", b"x = 1\n"))
    content = zipped(("a.zip", large), ("b.zip", large), ("c.zip", small))
    sieve = Sieve(Caps(archive_bytes=500_000))
    opened = archives.open_inner_archives(zip_entries(content, sieve), sieve)
    assert {entry.path for entry in opened} == {f"a.zip/{DFS}", "b.zip", "c.zip/helper.py"}


# --- zip64 -----------------------------------------------------------------------------------------


def test_an_honest_zip64_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, zipped((DFS, CODE), large=True)).files == {DFS: CODE}


HUGE = 2**64 - 1


def lying_extra(packed: int, unpacked: int, offset: int) -> bytes:
    """A zip whose directory gives its sizes and its place in 64 bits."""
    content = zipped((DFS, CODE), ("other.py", b"x = 1\n"))
    start = content.index(b"PK\x01\x02")
    head, directory = content[:start], content[start:]
    extra = struct.pack("<HHQQQ", 1, 24, unpacked, packed, offset)
    fields = list(struct.unpack("<4s4B4HL2L5H2L", directory[:46]))
    fields[10:12], fields[13], fields[18] = [0xFFFFFFFF] * 2, len(extra), 0xFFFFFFFF
    entry = struct.pack("<4s4B4HL2L5H2L", *fields) + directory[46 : 46 + len(DFS)] + extra
    rest = directory[46 + len(DFS) :]
    end = rest.index(b"PK\x05\x06")
    size = len(entry) + end
    tail = rest[end : end + 12] + struct.pack("<LL", size, start) + rest[end + 20 :]
    return head + entry + rest[:end] + tail


@pytest.mark.parametrize(
    "sizes", [(HUGE, HUGE, 0), (17, HUGE, 0), (HUGE, 16, 0), (17, 16, HUGE), (17, 16, 2**63)]
)
def test_sizes_of_64_bits_that_cannot_be_cost_the_member_or_the_archive(
    sizes: tuple[int, int, int], tmp_path: Path
) -> None:
    try:
        submission = read(tmp_path, lying_extra(*sizes))
    except IntakeError:
        return
    assert CODE not in submission.files.values()
    assert notes(submission)


@pytest.mark.parametrize("entries", [1, 2**32, HUGE])
@pytest.mark.parametrize("place", [0, 2**40, HUGE])
def test_a_directory_of_64_bits_that_lies_is_refused(entries: int, place: int, tmp_path: Path) -> None:
    content = zipped((DFS, CODE))
    start = content.index(b"PK\x05\x06")
    ending = struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, entries, entries, HUGE, place)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, start, 1)
    ended = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    with pytest.raises(IntakeError):
        read(tmp_path, content[:start] + ending + locator + ended)
