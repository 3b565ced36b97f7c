"""Files of students inside the archive of a platform, and archives inside these."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from grader.errors import IntakeError, Unreached
from grader.intake.bulk_download import unpack
from grader.intake.class_listing import find_hand_ins
from grader.intake.submissions import read_hand_in
from tests.grader.intake.downloads import FILES, names, packed, place, read
from tests.grader.intake.told import notes


class TestUnpacking:
    def test_the_download_as_it_comes(self, tmp_path: Path) -> None:
        inner = {"a_1_2_lab.zip": packed(), "b_LATE_2_3_lab.zip": packed(), "__MACOSX/x": b"", "../evil": b""}
        problems = unpack(place(tmp_path, "download.zip", packed(inner)), tmp_path / "class")
        assert not problems.problems
        assert names(find_hand_ins(tmp_path / "class")) == ["a_1", "b_2", "evil"]
        assert not (tmp_path / "evil").exists()

    def test_a_link_in_it_is_left_out(self, tmp_path: Path) -> None:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            link = zipfile.ZipInfo("a_1_2_lab.zip")
            link.external_attr = 0o120777 << 16
            archive.writestr(link, os.fsencode("/etc/passwd"))
        problems = unpack(place(tmp_path, "download.zip", buffer.getvalue()), tmp_path / "class")
        assert problems.problems == ("a_1_2_lab.zip: it is no regular file",)
        assert "it is a link" in notes(read(tmp_path / "class")["a_1"])[0]

    @pytest.mark.parametrize("content", [b"", b"no zip", packed()[:100]], ids=["empty", "text", "cut"])
    def test_what_is_no_zip(self, tmp_path: Path, content: bytes) -> None:
        with pytest.raises(IntakeError, match="expected a folder, or the zip of a bulk download"):
            unpack(place(tmp_path, "download.zip", content), tmp_path / "class")

    def test_a_damaged_member_costs_its_own_submission(self, tmp_path: Path) -> None:
        for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_STORED):
            folder = tmp_path / str(method)
            inner = {"a_1_2_lab.zip": packed(), "b_2_3_lab.zip": packed(), "c_3_4_dfs.py": b"mine = 1\n" * 99}
            content = damaged(compressed(inner, method), "b_2_3_lab.zip")
            unpacked = unpack(place(tmp_path, f"{method}.zip", content), folder)
            assert unpacked.problems == ("b_2_3_lab.zip: it is damaged in the zip",)
            found = read(folder)
            assert list(found) == ["a_1", "b_2", "c_3"]
            assert found["a_1"].files == FILES
            assert not found["b_2"].holds_an_exercise or method == zipfile.ZIP_STORED

    def test_a_damaged_file_is_not_graded_in_part(self, tmp_path: Path) -> None:
        inner = {"a_1_2_dfs.py": b"mine = 1\n" * 99, "b_2_3_lab.zip": packed()}
        content = damaged(compressed(inner, zipfile.ZIP_DEFLATED), "a_1_2_dfs.py")
        unpacked = unpack(place(tmp_path, "download.zip", content), tmp_path / "class")
        assert unpacked.problems == ("a_1_2_dfs.py: it is damaged in the zip",)
        ada, bob = find_hand_ins(tmp_path / "class", broken=unpacked.broken).hand_ins
        with pytest.raises(Unreached, match=r"^a_1_2_dfs\.py: it is damaged in the zip$"):
            read_hand_in(ada)
        assert read_hand_in(bob).files == FILES

    def test_a_name_that_is_too_long_for_the_disk(self, tmp_path: Path) -> None:
        long = "lovelaceada_101_9001_" + "å" * 140 + ".zip"
        assert len(long.encode()) > 255
        problems = unpack(place(tmp_path, "download.zip", packed({long: packed()})), tmp_path / "class")
        assert not problems.problems
        assert read(tmp_path / "class")["lovelaceada_101"].files == FILES

    @pytest.mark.filterwarnings("ignore:Duplicate name")
    @pytest.mark.parametrize(
        ("first", "second"),
        [
            ("ada_1_2_lab.zip", "ada_1_2_lab.zip"),
            ("ada_1_2_lab", "ada_1_2_lab/solvers/dfs.py"),
            ("ada_1_2_lab/solvers/dfs.py", "ada_1_2_lab"),
            ("\u00e5da_1_2_lab.zip", "a\u030ada_1_2_lab.zip"),
        ],
        ids=["twice", "a file and a folder", "a folder and a file", "composed and decomposed"],
    )
    def test_names_that_cannot_lie_side_by_side(self, tmp_path: Path, first: str, second: str) -> None:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name in (first, second, "bob_2_3_lab.zip"):
                archive.writestr(name, packed())
        problems = unpack(place(tmp_path, "download.zip", buffer.getvalue()), tmp_path / "class")
        assert not problems.problems
        kept = [path for path in (tmp_path / "class").rglob("*") if path.is_file()]
        assert [path.read_bytes() for path in kept] == [packed()] * 3
        assert read(tmp_path / "class")["bob_2"].files == FILES


def compressed(files: dict[str, bytes], method: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def damaged(content: bytes, name: str) -> bytes:
    """The zip with the bytes of one member spoilt from its first half on."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        info = archive.getinfo(name)
    start = info.header_offset + 30 + len(name) + info.compress_size // 2
    end = info.header_offset + 30 + len(name) + info.compress_size
    return content[:start] + b"\xff" * (end - start) + content[end:]
