"""Files that are there whole or not at all, and what people are told where the disk refuses them."""

from __future__ import annotations

import errno
import os
import zipfile
from pathlib import Path

import pytest

from grader.cli import main
from grader.disk import disk_error, whole, write_together, write_whole
from grader.errors import DiskError
from grader.exports.gradescope import format_results
from grader.intake import bulk_download
from grader.results import as_json
from tests.grader.exports.results_json import check, results
from tests.grader.faults.disk import Refusing, standing


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "cannot write out/x: No space left on device; make room on that disk"),
        (errno.EROFS, "cannot write out/x: Read-only file system; this disk can only be read: name a place"),
        (errno.EACCES, "cannot use out/x: Permission denied; have its permissions changed, or name"),
        (errno.ENOENT, "cannot use out/x: No such file or directory; see whether all folders"),
        (errno.EIO, "cannot use out/x: Input/output error; the disk is full, or failing"),
        (errno.EBADMSG, "cannot use out/x: Bad message; see to that, then give the same command again"),
    ],
)
def test_what_is_said_has_the_file_the_reason_and_the_next_step(number: int, words: str) -> None:
    assert str(disk_error(OSError(number, os.strerror(number), "out/x"))).startswith(words)


def test_a_file_stays_what_it_was_where_the_disk_is_full(tmp_path: Path) -> None:
    write_whole(tmp_path / "a", b"before")
    for step in range(3):
        disk = Refusing(tmp_path, step, errno.ENOSPC)
        with standing(disk), pytest.raises(DiskError, match=r"/a: No space left"):
            write_whole(tmp_path / "a", b"after")
        assert (tmp_path / "a").read_bytes() == b"before"
        assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_none_of_several_files_is_changed_before_there_is_room_for_all(tmp_path: Path) -> None:
    write_together(tmp_path, {"a": b"before", "b": b"before"})
    with standing(Refusing(tmp_path, 4, errno.ENOSPC)), pytest.raises(DiskError, match="/b: No space"):
        write_together(tmp_path, {"a": b"after", "b": b"after"})
    assert [(tmp_path / name).read_bytes() for name in "ab"] == [b"before", b"before"]


def test_what_a_killed_grader_left_is_taken_away_and_that_of_a_living_one_is_not(tmp_path: Path) -> None:
    nobody, other = tmp_path / f".a.{2**22 + 1}", tmp_path / f".a.{os.getppid()}"
    for left in (nobody, other, tmp_path / ".a.old"):
        left.write_bytes(b"half")
    write_whole(tmp_path / "a", b"whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([".a.old", other.name, "a"])


def test_what_is_no_regular_file_is_written_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_whole(tmp_path / "file", b"1")
    write_whole(tmp_path / "link", b"2")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"2"
    with pytest.raises(DiskError, match="cannot write /dev/full: No space left on device"):
        write_whole(Path("/dev/full"), b"3")
    with pytest.raises(DiskError, match="Is a directory; move away"), whole(tmp_path) as partial:
        partial.write_bytes(b"4")


def test_an_export_is_whole_or_what_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = results(check("dfs.a", "passed"))
    (tmp_path / "results.json").write_bytes(as_json(made))
    out = tmp_path / "exported.json"
    out.write_bytes(b"before")
    export = ["export", "gradescope", str(tmp_path), "--out", str(out)]
    with standing(Refusing(tmp_path, 1, errno.ENOSPC)):
        assert main(export) == 1
    assert f"grader: cannot write {out}: No space left on device; make room" in capsys.readouterr().err
    assert out.read_bytes() == b"before"
    assert main(export) == 0
    assert out.read_bytes() == format_results(made)


def test_a_download_for_which_there_is_no_room_is_told_with_the_file(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as packed:
        packed.writestr("ada/dfs.py", b"print()" * 10_000)
    folder = tmp_path / "unpacked"
    with (
        standing(Refusing(folder, 2, errno.ENOSPC)),
        pytest.raises(DiskError, match=r"cannot write .*/unpacked/ada/dfs\.py: No space left"),
    ):
        bulk_download.unpack(tmp_path / "class.zip", folder)
