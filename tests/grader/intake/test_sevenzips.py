"""7z archives, honest and hostile."""

from __future__ import annotations

import io
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any
from zlib import crc32

import py7zr
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import IntakeError
from grader.intake import Caps
from grader.intake.archives import sevenzip_entries
from grader.intake.files import Sieve
from grader.intake.submissions import submission_at
from grader.model import Limits, Submission
from grader.reader import Reader
from tests.grader.intake.told import notes

pytestmark = pytest.mark.processes

DFS = "solvers/dfs.py"
CODE = b"class DFS: pass\n"
NOTHING = b""
SESAME = "maze"


def packed(*members: tuple[str, bytes], encoded: bool = True, **more: Any) -> bytes:
    buffer = io.BytesIO()
    with py7zr.SevenZipFile(buffer, "w", **more) as archive:
        archive.set_encoded_header_mode(encoded)
        for name, content in members:
            archive.writestr(content, name)
    return buffer.getvalue()


def read(tmp_path: Path, content: bytes, **caps: int) -> Submission:
    path = tmp_path / "ada.7z"
    path.write_bytes(content)
    return submission_at(path, Reader.of(Limits()), caps=Caps(**caps))  # some heads ask for all memory


def refused(tmp_path: Path, content: bytes, **caps: int) -> str:
    with pytest.raises(IntakeError) as caught:
        read(tmp_path, content, **caps)
    return str(caught.value)


def headed(head: bytes, count: int | None = None) -> bytes:
    """An archive that is all head, with sums that are right."""
    following = struct.pack("<QQI", 0, len(head) if count is None else count, crc32(head))
    return b"7z\xbc\xaf\x27\x1c\x00\x04" + struct.pack("<I", crc32(following)) + following + head


def test_a_7z_is_read(tmp_path: Path) -> None:
    long = "helpers/" + "å" * 120 + ".py"
    content = packed((DFS, CODE), (long, b"1"), ("empty.py", NOTHING))
    assert read(tmp_path, content) == Submission("ada", {DFS: CODE, long: b"1", "empty.py": NOTHING})


def test_a_bad_name_is_left_out_with_its_reason(tmp_path: Path) -> None:
    good = packed((DFS, CODE), ("aa/aa/evil.py", b"boom"), ("x" * 201, b"1"), encoded=False)
    name = "aa/aa/evil.py".encode("utf-16-le")
    for bad in ("../../evil.py", "/etc/xevil.py"):
        submission = read(tmp_path, with_head(good, name, bad.encode("utf-16-le")))
        assert submission.files == {DFS: CODE}
        assert any("leads out" in note for note in notes(submission))
        assert any("200 characters" in note for note in notes(submission))


def test_a_bomb_stays_packed(tmp_path: Path) -> None:
    bomb = packed(("zeros.py", bytes(48 * 1024 * 1024)))
    assert len(bomb) < 50_000
    assert "or 200 times its size" in refused(tmp_path, bomb)


def test_two_of_a_name_are_no_honest_archive(tmp_path: Path) -> None:
    content = packed((DFS, CODE), ("solvers/bfs.py", b"1"), encoded=False)
    twice = with_head(content, "bfs".encode("utf-16-le"), "dfs".encode("utf-16-le"))
    assert "damaged, or asks for more" in refused(tmp_path, twice)


HEADS = {
    "a file for every grain of sand": b"\x01\x05\xff" + b"\xff" * 7 + b"\x7f" + b"\x00\x00",
    "as many as fit into 32 bits": b"\x01\x05\xf0\xff\xff\xff\xff\x00\x00",
    "folders without end": b"\x01\x04\x06\x00\x01\x09\x10\x00\x07\x0b\xff" + b"\xff" * 7 + b"\x7f\x00",
    "a head packed to nothing": b"\x17\x06\x00\x01\x09\x10\x00\x07\x0b\x01\x00\x01\x21\x21\x01\x28\x0c\xff"
    + b"\xff" * 7
    + b"\x7f\x00\x00",
    "zeros": bytes(64),
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_a_head_that_asks_for_too_much(tmp_path: Path, head: bytes) -> None:
    assert "damaged, or asks for more" in refused(tmp_path, headed(head))


def test_a_head_that_lies_beyond_the_end(tmp_path: Path) -> None:
    assert "cut short" in refused(tmp_path, headed(b"\x01", 2**40))


HONEST = {DFS: CODE * 20, "solvers/bfs.py": b"one = 2\n" * 20}
WHOLE = packed(*HONEST.items())


@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255), st.booleans())
def test_any_damage_is_refused_or_seen_through(place: int, change: int, cut: bool) -> None:
    content = WHOLE[:place] if cut else WHOLE[:place] + bytes([WHOLE[place] ^ change]) + WHOLE[place + 1 :]
    sieve = Sieve(Caps())
    with suppress(IntakeError):
        entries = sevenzip_entries(content, sieve)
        assert {entry.path: entry.read(9999) for entry in entries}.items() <= HONEST.items()


def with_head(content: bytes, old: bytes, new: bytes) -> bytes:
    """The archive with other words in its plain head, and sums that are right again."""
    offset, count, _ = struct.unpack("<QQI", content[12:32])
    head = content[32 + offset : 32 + offset + count]
    assert old in head
    head = head.replace(old, new)
    following = struct.pack("<QQI", offset, len(head), crc32(head))
    start = content[:8] + struct.pack("<I", crc32(following)) + following
    return start + content[32 : 32 + offset] + head
