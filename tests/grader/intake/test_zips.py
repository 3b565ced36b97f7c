"""Zip archives, honest and hostile."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import unicodedata
import zipfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import IntakeError
from grader.intake import Caps, archives, read_submission
from grader.intake.archives import zip_entries
from grader.intake.bulk_download import unpack
from grader.intake.files import Entry, Sieve
from grader.intake.selection import select
from grader.model import Submission
from tests.grader.intake import shapes
from tests.grader.intake.steps import at_most
from tests.grader.intake.told import notes
from tests.grader.words import english

DFS = "solvers/dfs.py"
CODE = b"class DFS: pass\n"


def packed(*members: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def read(tmp_path: Path, content: bytes, **caps: int) -> Submission:
    path = tmp_path / "ada.zip"
    path.write_bytes(content)
    return read_submission(path, caps=Caps(**caps))


def the_one_note(submission: Submission) -> str:
    (note,) = notes(submission)
    return note


def test_folders_and_stored_members_are_fine(tmp_path: Path) -> None:
    content = packed(("solvers/", b""), (DFS, CODE), ("solvers/empty.py", b""), method=zipfile.ZIP_STORED)
    assert read(tmp_path, content) == Submission("ada", {DFS: CODE, "solvers/empty.py": b""})


@pytest.mark.parametrize("encoding", ["utf-8", "cp437", "cp850"])
@pytest.mark.parametrize("name", ["Übung", "Lösung für Ada", "Øving", "U\u0308bung"])
def test_names_are_read_in_the_encoding_that_they_are_in(tmp_path: Path, name: str, encoding: str) -> None:
    raw = name.encode(encoding if name.encode(encoding, "ignore").decode(encoding) == name else "utf-8")
    stand_in = "x" * len(raw)
    content = packed((f"{stand_in}/{DFS}", CODE), (f"{stand_in}.rar", b"x")).replace(stand_in.encode(), raw)
    (path := tmp_path / "ada.zip").write_bytes(content)
    composed = unicodedata.normalize("NFC", name)
    entries = zip_entries(content, Sieve(Caps()))
    assert [entry.path for entry in entries] == [f"{composed}/{DFS}", f"{composed}.rar"]
    assert read_submission(path).files == {DFS: CODE}
    assert unpack(path, tmp_path / "class").problems == ()
    assert (tmp_path / "class" / composed / DFS).read_bytes() == CODE


def test_a_name_is_not_cut_at_a_null_byte(tmp_path: Path) -> None:
    content = packed((DFS, CODE), ("some.md0.txt", b"x")).replace(b"some.md0", b"some.md\0")
    assert read(tmp_path, content) == Submission("ada", {DFS: CODE, "some.md.txt": b"x"})


def test_a_name_that_is_not_the_utf_8_that_it_says_costs_nothing(tmp_path: Path) -> None:
    """As where a platform has cut it at a number of bytes."""
    content = packed((DFS, CODE), ("hjälp.py", b"1")).replace("hjälp".encode(), b"hj\xe4\xe4lp")
    assert read(tmp_path, content).files == {DFS: CODE, "hjΣΣlp.py": b"1"}


def central(content: bytes, offset: int, value: bytes) -> bytes:
    """Overwrite a field of the first entry of the directory."""
    start = content.index(b"PK\x01\x02") + offset
    return content[:start] + value + content[start + len(value) :]


def encrypt(content: bytes, name: bytes) -> bytes:
    """Set the flag of encryption in both headers of a member."""
    data = bytearray(content)
    for magic, flags, length in ((b"PK\x03\x04", 6, 30), (b"PK\x01\x02", 8, 46)):
        at = next(
            i for i in range(len(data)) if data[i : i + 4] == magic and data[i + length :].startswith(name)
        )
        data[at + flags] |= 1
    return bytes(data)


def beside(name: str, content: bytes = b"evil", kind: int = 0, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip with a right file and another member."""
    member = zipfile.ZipInfo(name)
    member.external_attr, member.compress_type = (kind | 0o777) << 16 if kind else 0, method
    return packed((member, content), (DFS, CODE))


LEFT_OUT = {
    "way out": (beside("../evil.py"), "leads out"),
    "way out and in": (beside("solvers/../../evil.py"), "leads out"),
    "way out on Windows": (beside("..\\evil.py"), "leads out"),
    "deep": (beside("a/" * 13 + "evil.py"), "folders deep"),
    "long name": (beside("x" * 300 + ".py"), "200 characters"),
    "link": (beside("solvers/bfs.py", b"/etc/passwd", stat.S_IFLNK), "a link"),
    "device": (beside("solvers/bfs.py", kind=stat.S_IFCHR), "no regular"),
    "pipe": (beside("solvers/bfs.py", kind=stat.S_IFIFO), "no regular"),
    "disk": (beside("solvers/bfs.py", kind=stat.S_IFBLK), "no regular"),
    "bomb": (beside("zeros.txt", bytes(5_000_000)), "zeros.txt was left out: it is larger than 256 KiB."),
    "declares too little": (
        central(beside("bomb.py", bytes(100_000)), 24, struct.pack("<I", 10)),
        "bomb.py was left out: it is damaged in the zip.",
    ),
    "declares too much": (
        central(beside("small.py"), 24, struct.pack("<I", 1000)),
        "small.py was left out: it is damaged in the zip.",
    ),
    "flipped bit": (beside("x.py", method=zipfile.ZIP_STORED).replace(b"evil", b"evjl"), "damaged"),
    "encrypted": (encrypt(beside("bfs.py"), b"bfs.py"), "bfs.py was left out: it is encrypted."),
    "bzip2": (beside("solvers/bfs.py", method=zipfile.ZIP_BZIP2), "use plain zip"),
    "LZMA": (beside("solvers/bfs.py", method=zipfile.ZIP_LZMA), "use plain zip"),
}


@pytest.mark.parametrize("kind", LEFT_OUT)
def test_a_bad_member_is_left_out_with_its_reason(tmp_path: Path, kind: str) -> None:
    content, reason = LEFT_OUT[kind]
    submission = read(tmp_path, content)
    assert submission.files == {DFS: CODE}
    assert reason in the_one_note(submission)
    assert the_one_note(submission).isprintable()


def test_many_small_bombs_stop_at_the_total(tmp_path: Path) -> None:
    bombs = [(f"bomb{number:03}.txt", bytes(200_000)) for number in range(100)]
    submission = read(tmp_path, packed((DFS, CODE), *bombs))
    assert DFS in submission.files
    assert sum(map(len, submission.files.values())) <= 2 * 1024 * 1024
    assert "left out: 90." in the_one_note(submission)


TWO = packed(("a.py", b"x" * 100), ("b.py", b"y" * 100), method=zipfile.ZIP_STORED)
NOTHING = struct.pack("<4s4xH36x", b"PK\x01\x02", 0)


def second_at(place: int) -> bytes:
    """The zip of two members, the second of which begins elsewhere."""
    at = TWO.rindex(b"PK\x01\x02") + 42
    return TWO[:at] + struct.pack("<I", place) + TWO[at + 4 :]


REFUSED = {
    "a hundred thousand members": (
        NOTHING * 100_000 + struct.pack("<4s4xHHIIH", b"PK\x05\x06", 34464, 34464, 46 * 100_000, 0, 0),
        "more than 50000 entries",
    ),
    "encrypted": (
        encrypt(packed((DFS, CODE)), DFS.encode()),
        r"ada\.zip: the zip is encrypted: make it again, ",
    ),
    "overlap": (second_at(TWO.index(b"PK\x03\x04", 10) - 20), "overlap"),
    "the same bytes": (second_at(0), "overlap"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_no_honest_tool_writes_is_refused_as_a_whole(tmp_path: Path, kind: str) -> None:
    content, reason = REFUSED[kind]
    with pytest.raises(IntakeError, match=reason):
        read(tmp_path, content)


def test_a_zip_cut_short_anywhere_never_crashes(tmp_path: Path) -> None:
    content = packed((DFS, CODE * 20), ("solvers/bfs.py", CODE * 30))
    for length in range(len(content)):
        with pytest.raises(IntakeError):
            read(tmp_path, content[:length])


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (("a.py", "A.py"), set()),
        (("ä.py", "a\u0308.py"), set()),
        (("straße.py", "STRASSE.py"), set()),
        (("other.txt", "other.txt"), set()),
        (("solvers", "solvers/bfs.py"), {"solvers/bfs.py"}),
        (("Solvers/bfs.py", "solvers"), {"solvers/bfs.py"}),
    ],
)
def test_names_that_collide_are_left_out(tmp_path: Path, names: tuple[str, str], kept: set[str]) -> None:
    submission = read(tmp_path, packed((names[0], b"1"), (names[1], b"2"), ("other.py", b"3")))
    assert set(submission.files) == {*kept, "other.py"}
    assert any("has this name" in note for note in notes(submission))


def test_of_two_names_that_collide_one_is_kept_where_their_contents_are_equal(tmp_path: Path) -> None:
    assert set(read(tmp_path, packed(("a.py", b"1"), ("A.py", b"1"))).files) == {"a.py"}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_packed_many_times_is_not_unpacked_many_times(tmp_path: Path) -> None:
    submission = read(tmp_path, packed(*[(DFS, CODE)] * 9))
    assert submission.files == {}
    assert "has this name" in notes(submission)[0]


def test_rubbish_is_left_out_without_a_word(tmp_path: Path) -> None:
    rubbish = [
        "__MACOSX/solvers/._dfs.py",
        ".git/HEAD",
        "solvers/__pycache__/dfs.cpython-311.pyc",
        ".DS_Store",
        ".venv/lib/x.py",
        "node_modules/a/index.js",
        ".idea/x.xml",
        "solvers/dfs.py~",
        "x.pyc",
    ]
    content = packed((DFS, CODE), *((name, b"rubbish") for name in rubbish))
    assert read(tmp_path, content) == Submission("ada", {DFS: CODE})


@given(edits=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=6))
def test_any_broken_bytes_are_read_or_refused(edits: list[tuple[int, int]]) -> None:
    content = bytearray(packed((DFS, CODE), ("solvers/bfs.py", CODE * 9)))
    for place, value in edits:
        content[place % len(content)] = value
    sieve = Sieve(Caps())
    try:
        files = select(zip_entries(bytes(content), sieve), sieve)
    except IntakeError:
        return
    assert all(len(file) <= Caps().file_bytes for file in files.values())
    assert all(english(remark.message).isprintable() for remark in sieve.all_remarks())


# --- claims ---------------------------------------------------------------------------------------


def directory_of(count: int, extra: bytes) -> bytes:
    """A zip that is all directory, each entry with these extra fields."""
    entry = struct.pack(
        "<4s4B4HL2L5H2L", b"PK\x01\x02", *[20, 3, 20, 0], *[0] * 4, *[0] * 3, 1, len(extra), *[0] * 5
    )
    body = b"PK\x03\x04" + bytes(26)
    directory = (entry + b"x" + extra) * count
    return (
        body
        + directory
        + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), 0)
    )


def test_extra_fields_are_counted_before_they_are_looked_through(tmp_path: Path) -> None:
    with at_most(20_000), pytest.raises(IntakeError, match="its directory is full of other things"):
        read(tmp_path, directory_of(9, b"\x99\x99\x00\x00" * 16_000))


def test_what_is_read_is_counted_however_many_names_a_zip_has_for_it(tmp_path: Path) -> None:
    """Of a thousand folders each could be meant: they are not all read."""
    content = packed(*((f"{number}/{DFS}", bytes(100_000)) for number in range(1000)))
    submission = read(tmp_path, content, read_bytes=1_000_000)
    assert any("were read before it" in note for note in notes(submission))


# --- archives that have no end --------------------


def zip_of(*members: tuple[str, bytes], large: bool = False) -> bytes:
    if not large:
        return shapes.zipped(dict(members))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members:
            with archive.open(name, "w", force_zip64=True) as member:
                member.write(content)
    return buffer.getvalue()


def tar_of(*members: tuple[str, bytes]) -> bytes:
    return shapes.tarred(dict(members))


def read_as(tmp_path: Path, content: bytes, name: str = "ada.zip") -> Submission:
    path = tmp_path / name
    path.write_bytes(content)
    return read_submission(path)


def test_a_gzip_of_a_gzip_is_no_submission(tmp_path: Path) -> None:
    content = CODE
    for _ in range(60):
        content = gzip.compress(content)
    with pytest.raises(IntakeError):
        read_as(tmp_path, content, "ada.tar.gz")


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


def test_archives_in_an_archive_share_its_size() -> None:
    """All that were opened are held in memory together."""
    large = zip_of((DFS, CODE), ("noise.bin", Random(1).randbytes(350_000)))
    small = zip_of(("helper.py", b"x = 1\n"))
    content = zip_of(("a.zip", large), ("b.zip", large), ("c.zip", small))
    sieve = Sieve(Caps(archive_bytes=500_000))
    opened = archives.open_inner_archives(zip_entries(content, sieve), sieve)
    assert {entry.path for entry in opened} == {f"a.zip/{DFS}", "b.zip", "c.zip/helper.py"}


# --- zip64 -----------------------------------------------------------------------------------------


def test_an_honest_zip64_is_read(tmp_path: Path) -> None:
    assert read_as(tmp_path, zip_of((DFS, CODE), large=True)).files == {DFS: CODE}


HUGE = 2**64 - 1


def lying_extra(packed: int, unpacked: int, offset: int) -> bytes:
    """A zip whose directory gives its sizes and its place in 64 bits."""
    content = zip_of((DFS, CODE), ("other.py", b"x = 1\n"))
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
        submission = read_as(tmp_path, lying_extra(*sizes))
    except IntakeError:
        return
    assert CODE not in submission.files.values()
    assert notes(submission)


@pytest.mark.parametrize("entries", [1, 2**32, HUGE])
@pytest.mark.parametrize("place", [0, 2**40, HUGE])
def test_a_directory_of_64_bits_that_lies_is_refused(entries: int, place: int, tmp_path: Path) -> None:
    content = zip_of((DFS, CODE))
    start = content.index(b"PK\x05\x06")
    ending = struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, entries, entries, HUGE, place)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, start, 1)
    ended = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    with pytest.raises(IntakeError):
        read_as(tmp_path, content[:start] + ending + locator + ended)
