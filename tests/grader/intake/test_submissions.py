"""What is taken for a submission, and how the rest is refused."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from grader.errors import IntakeError
from grader.intake import is_submission_archive, read_submission
from grader.intake.files import Caps, Sieve
from grader.intake.names import ARCHIVES
from grader.languages import said
from tests.grader.intake.told import notes


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", f"expected a folder, or a {ARCHIVES}, got an empty file"),
        (b"print(1)", "got something else"),
        (b"Rar!\x1a\x07", "got a RAR archive"),
        (b"7z\xbc\xaf\x27\x1c", "the 7z is damaged"),
        (b"\xfd7zXZ\0", "got an xz archive"),
        (b"BZh9", "got a bzip2 archive"),
        (b"PK\x03\x04 and no more", "the zip is damaged or cut short"),
    ],
)
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "handin"
    path.write_bytes(content)
    with pytest.raises(IntakeError) as caught:
        read_submission(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


def test_what_is_not_there_is_refused_and_a_pipe_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ada.zip")
    for name, reason in (("nobody.zip", "No such file"), ("ada.zip", "no regular file")):
        with pytest.raises(IntakeError, match=reason):
            read_submission(tmp_path / name)


def test_the_contents_count_and_not_the_name(tmp_path: Path) -> None:
    path = tmp_path / "ada.tar.gz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.py", "1")
    assert read_submission(path).files == {"x.py": b"1"}


def test_a_name_can_be_given_and_is_made_safe(tmp_path: Path) -> None:
    assert read_submission(tmp_path, name="../Ada").name == "-Ada"


def test_archives_are_told_by_name(tmp_path: Path) -> None:
    for name in ("a.zip", "b.TGZ", "c.tar", "d.tar.gz", "e.txt"):
        (tmp_path / name).touch()
    (tmp_path / "folder.zip").mkdir()
    found = {path.name for path in tmp_path.iterdir() if is_submission_archive(path)}
    assert found == {"a.zip", "b.TGZ", "c.tar", "d.tar.gz"}


def test_notes_are_bounded(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"{'x' * 190}{number}").symlink_to("nowhere")
    told = notes(read_submission(tmp_path))
    assert len(told) == 21
    assert told[-1] == "And 21 more of the kind."
    assert max(map(len, told)) <= 240


def test_a_note_is_made_once_and_its_name_cut_in_the_middle() -> None:
    sieve = Sieve(Caps())
    for name in ("twice", "twice", "a" * 300 + "\x1b"):
        sieve.refuse(name, said("left_encrypted"))
    first, second = (remark.source for remark in sieve.all_remarks())
    assert first == "twice"
    assert len(second) == 80
    assert second.endswith("aaa\\x1b")
