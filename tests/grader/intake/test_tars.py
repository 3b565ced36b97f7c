"""Tar archives, plain and gzipped, honest and hostile."""

from __future__ import annotations

import gzip
import io
import tarfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.errors import IntakeError
from grader.intake import Caps, read_submission
from grader.intake.archives import tar_entries
from grader.intake.files import Sieve
from grader.intake.selection import select
from grader.model import Submission
from tests.grader.intake.told import notes
from tests.grader.words import english

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


def sparse() -> tarfile.TarInfo:
    made = member("holes.txt")
    made.pax_headers = {"GNU.sparse.map": "0,1", "GNU.sparse.size": "99999999999"}
    return made


@pytest.mark.parametrize(
    ("bad", "content", "reason"),
    [
        (member("../evil.py"), b"", "leads out"),
        (member("x" * 201), b"", "200 characters"),
        (member("solvers/bfs.py", tarfile.SYMTYPE, "/etc/passwd"), b"", "a link"),
        (member("solvers/bfs.py", tarfile.LNKTYPE, "solvers/dfs.py"), b"", "a link"),
        (member("solvers/bfs.py", tarfile.CHRTYPE), b"", "no regular file"),
        (member("solvers/bfs.py", tarfile.BLKTYPE), b"", "no regular file"),
        (member("solvers/bfs.py", tarfile.FIFOTYPE), b"", "no regular file"),
        (sparse(), b"x", "holes.txt was left out: it is no regular file."),
        (member("data.csv"), bytes(1_000_000), "data.csv was left out: it is larger than 256 KiB."),
    ],
)
def test_a_bad_member_is_left_out_and_the_next_is_read(
    tmp_path: Path, bad: tarfile.TarInfo, content: bytes, reason: str
) -> None:
    form = tarfile.PAX_FORMAT if bad.pax_headers else tarfile.GNU_FORMAT
    submission = read(tmp_path, packed((bad, content), (DFS, CODE), form=form))
    assert submission.files == {DFS: CODE}
    (note,) = notes(submission)
    assert reason in note
    assert note.isprintable()


def test_a_bomb_is_not_unpacked_to_its_end(tmp_path: Path) -> None:
    submission = read(
        tmp_path, gzip.compress(packed((DFS, CODE), ("bomb", bytes(20_000_000)), ("b.py", CODE)))
    )
    assert submission.files == {DFS: CODE}
    assert "it unpacks to more than 200 times its size" in notes(submission)[-1]
    with pytest.raises(IntakeError, match="not read to its end: it unpacks to more than 1 MiB"):
        read(tmp_path, gzip.compress(packed(("bomb", bytes(3_000_000)))), unpacked_bytes=1024 * 1024)


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
    assert notes(submission) == (
        "The archive is damaged or cut short: make it again, and check that it opens.",
    )


@given(edits=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=6))
def test_any_broken_bytes_are_read_or_refused(edits: list[tuple[int, int]]) -> None:
    content = bytearray(packed((DFS, CODE), ("solvers/bfs.py", CODE * 9))[:3072])
    for place, value in edits:
        content[place % len(content)] = value
    sieve = Sieve(Caps())
    try:
        files = select(tar_entries(bytes(content), sieve), sieve)
    except IntakeError:
        return
    assert all(len(file) <= Caps().file_bytes for file in files.values())
    assert all(english(remark.message).isprintable() for remark in sieve.all_remarks())


# --- claims ---------------------------------------------------------------------------------------

BLOCK = 512
END = bytes(2 * BLOCK)
FIRST = packed(("first.py", b"x = 1\n"))[: 2 * BLOCK]
GRAIN = 99_999_999_999_999


def head(name: str, size: int | bytes = 0, kind: bytes = tarfile.REGTYPE) -> bytes:
    """The head of a member with any size, in eleven digits of base 8 or as raw bytes."""
    block = bytearray(member(name, kind).tobuf(tarfile.USTAR_FORMAT))
    block[124:136] = size if isinstance(size, bytes) else b"%011o\0" % size
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % BLOCK)


def records(*pairs: tuple[str, str], kind: bytes = tarfile.XHDTYPE) -> bytes:
    """A head of records, each with the length that it has."""
    content = b""
    for key, value in pairs:
        rest = f" {key}={value}\n".encode()
        length = next(n for n in range(len(rest), len(rest) + 9) if len(str(n)) + len(rest) == n)
        content += str(length).encode() + rest
    return head("records", len(content), kind) + padded(content)


def raw_records(content: bytes) -> bytes:
    return head("records", len(content), tarfile.XHDTYPE) + padded(content)


def in_base_256(size: int) -> bytes:
    return (b"\x80" if size >= 0 else b"\xff") + (size % 256**11).to_bytes(11, "big")


CLAIMS = {
    "a record": records(("size", str(GRAIN))) + head(DFS, 10),
    "a record for all": records(("size", str(GRAIN)), kind=tarfile.XGLTYPE) + head(DFS, 10),
    "a record below zero": records(("size", "-512")) + head(DFS, 10),
    "base 256": head(DFS, in_base_256(2**80)),
    "base 256 below zero": head(DFS, in_base_256(-512)),
    "another kind": head(DFS, in_base_256(2**80), b"V"),
    "a long name": head("long", in_base_256(2**80), tarfile.GNUTYPE_LONGNAME) + head(DFS),
    "a long link": head("long", in_base_256(2**80), tarfile.GNUTYPE_LONGLINK) + head(DFS),
    "a long name below zero": head("long", in_base_256(-10240), tarfile.GNUTYPE_LONGNAME) + head(DFS),
    "records without end": head("long", in_base_256(2**80), tarfile.XHDTYPE) + head(DFS),
    "a sparse member": head(DFS, in_base_256(2**80), tarfile.GNUTYPE_SPARSE),
    "sparse records": records(("GNU.sparse.map", "0,1"), ("size", str(GRAIN))) + head(DFS),
}


@pytest.mark.parametrize("squeeze", [bytes, gzip.compress])
@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_a_size_is_held_against_what_is_there(tmp_path: Path, claim: bytes, squeeze: type[bytes]) -> None:
    submission = read(tmp_path, squeeze(FIRST + claim + END))
    assert submission.files == {"first.py": b"x = 1\n"}
    assert notes(submission)


def test_a_claim_with_nothing_before_it_gives_nothing(tmp_path: Path) -> None:
    for claim in CLAIMS.values():
        with suppress(IntakeError):
            assert read(tmp_path, claim + END, "ada.tar").files == {}


@given(
    members=st.lists(
        st.tuples(
            st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=160),
            st.binary(max_size=1200),
            st.sampled_from(
                (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE)
            ),
        ),
        max_size=4,
    ),
    form=st.sampled_from((tarfile.GNU_FORMAT, tarfile.PAX_FORMAT)),
)
@example(
    [("x" * 150, b"1", tarfile.REGTYPE), ("y/" * 60 + "å.py", b"2", tarfile.REGTYPE)], tarfile.GNU_FORMAT
)
def test_an_honest_tar_reads_as_with_tarfile(members: list[tuple[str, bytes, bytes]], form: int) -> None:
    inner = [(member(name, kind), b"" if kind in b"52" else content) for name, content, kind in members]
    content = packed(*inner, form=form)
    sieve, others = Sieve(Caps()), Sieve(Caps())
    found = [(entry.path, entry.read(9999)) for entry in tar_entries(content, sieve)]
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        plain = [each for each in archive if each.isreg()]
        expected = [(others.clean(each.name), archive.extractfile(each)) for each in plain]
        assert found == [(path, file and file.read()) for path, file in expected if path is not None]
