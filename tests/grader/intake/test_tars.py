"""Tar archives, plain and gzipped, honest and hostile."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import IntakeError
from grader.intake import Caps, read_submission
from grader.intake.entries import Sieve
from grader.intake.notes import Notes
from grader.intake.selection import select
from grader.intake.tars import tar_entries
from grader.model import Submission

DFS = "solvers/dfs.py"
CODE = b"class DFS: pass\n"


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def packed(*members: tuple[str | tarfile.TarInfo, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
        for name, content in members:
            info = member(name) if isinstance(name, str) else name
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def read(tmp_path: Path, content: bytes, name: str = "ada.tar.gz", **caps: int) -> Submission:
    path = tmp_path / name
    path.write_bytes(content)
    return read_submission(path, caps=Caps(**caps))


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("squeeze", [bytes, gzip.compress])
def test_a_tar_is_read(tmp_path: Path, form: int, squeeze: type[bytes]) -> None:
    long = "helpers/" + "x" * 120 + ".py" if form != tarfile.USTAR_FORMAT else "helpers/x.py"
    content = packed((member("./", tarfile.DIRTYPE), b""), (f"./{DFS}", CODE), (long, b"1"), form=form)
    assert read(tmp_path, squeeze(content)) == Submission("ada", {DFS: CODE, long: b"1"})


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (member("../evil.py"), "leads out"),
        (member("/etc/evil.py"), "absolute"),
        (member("solvers\\evil.py"), "backslash"),
        (member("x" * 201), "200 characters"),
        (member("evil\x1b.py"), "cannot be printed"),
        (member("evil\udcff.py"), "cannot be printed"),
        (member("solvers/bfs.py", tarfile.SYMTYPE, "/etc/passwd"), "a link"),
        (member("solvers/bfs.py", tarfile.LNKTYPE, "solvers/dfs.py"), "a link"),
        (member("solvers/bfs.py", tarfile.CHRTYPE), "no regular file"),
        (member("solvers/bfs.py", tarfile.BLKTYPE), "no regular file"),
        (member("solvers/bfs.py", tarfile.FIFOTYPE), "no regular file"),
    ],
)
def test_a_bad_member_is_left_out_with_its_reason(tmp_path: Path, bad: tarfile.TarInfo, reason: str) -> None:
    submission = read(tmp_path, packed((DFS, CODE), (bad, b""), form=tarfile.GNU_FORMAT))
    assert submission.files == {DFS: CODE}
    (note,) = submission.notes
    assert reason in note
    assert note.isprintable()


def test_a_sparse_member_is_left_out(tmp_path: Path) -> None:
    sparse = member("holes.txt")
    sparse.pax_headers = {"GNU.sparse.map": "0,1", "GNU.sparse.size": "99999999999"}
    submission = read(tmp_path, packed((DFS, CODE), (sparse, b"x")))
    assert submission.files == {DFS: CODE}
    assert submission.notes == ("holes.txt was left out: it is no regular file.",)


def test_a_large_member_is_left_out_and_the_next_is_read(tmp_path: Path) -> None:
    submission = read(tmp_path, packed(("data.csv", bytes(1_000_000)), (DFS, CODE)))
    assert submission.files == {DFS: CODE}
    assert submission.notes == ("data.csv was left out: it is larger than 256 KiB.",)


def test_a_bomb_is_not_unpacked_to_its_end(tmp_path: Path) -> None:
    content = gzip.compress(packed((DFS, CODE), ("bomb", bytes(20_000_000)), ("late.py", CODE)))
    submission = read(tmp_path, content)
    assert submission.files == {DFS: CODE}
    assert "it unpacks to more than 200 times its size" in submission.notes[-1]


def test_a_bomb_with_nothing_before_it_is_refused(tmp_path: Path) -> None:
    content = gzip.compress(packed(("bomb", bytes(3_000_000)), (DFS, CODE)))
    with pytest.raises(IntakeError, match="not read to its end: it unpacks to more than 1 MiB"):
        read(tmp_path, content, unpacked_bytes=1024 * 1024)


def test_too_many_members_stop_the_reading(tmp_path: Path) -> None:
    content = packed((DFS, CODE), *((f"f{number}", b"") for number in range(20)))
    submission = read(tmp_path, content, members=10)
    assert len(submission.files) == 10
    assert submission.notes == ("The archive was not read to its end: it holds more than 10 entries.",)


def test_endless_long_names_are_refused(tmp_path: Path) -> None:
    header = member("././@LongLink", tarfile.GNUTYPE_LONGNAME)
    header.size = 5
    block = header.tobuf(tarfile.GNU_FORMAT) + b"name\0".ljust(512, b"\0")
    with pytest.raises(IntakeError, match="damaged"):
        read(tmp_path, block * 5000, "ada.tar")


@pytest.mark.parametrize("squeeze", [bytes, gzip.compress])
def test_a_tar_cut_short_keeps_what_came_before(tmp_path: Path, squeeze: type[bytes]) -> None:
    content = packed((DFS, CODE), ("solvers/bfs.py", bytes(range(256)) * 100))
    cut = content[: len(content) // 2] if squeeze is bytes else gzip.compress(content)[:-30]
    submission = read(tmp_path, cut)
    assert submission.files == {DFS: CODE}
    assert submission.notes == (
        "The archive is damaged or cut short: make it again, and check that it opens.",
    )


def test_a_gzip_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IntakeError, match=r"ada\.tar\.gz: the archive is damaged"):
        read(tmp_path, gzip.compress(b"print(1)"))


@given(edits=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=6))
def test_any_broken_bytes_are_read_or_refused(edits: list[tuple[int, int]]) -> None:
    content = bytearray(packed((DFS, CODE), ("solvers/bfs.py", CODE * 9))[:3072])
    for place, value in edits:
        content[place % len(content)] = value
    sieve = Sieve(Caps(), Notes())
    try:
        files = select(tar_entries(bytes(content), sieve), sieve)
    except IntakeError:
        return
    assert all(len(file) <= Caps().file_bytes for file in files.values())
    assert all(note.isprintable() for note in sieve.notes.lines())
