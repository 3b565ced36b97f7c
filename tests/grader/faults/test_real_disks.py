"""Disks that really are full, or really can only be read; what SQLite and the kernel make of it is theirs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.cli import main
from tests.grader.batch.conftest import results_in
from tests.grader.exports.refusals import refused
from tests.grader.faults.conftest import ADA, BOB

pytestmark = pytest.mark.usefixtures("nothing_is_run")
ADJUST = ("--score", "80", "--reason", "looked at it", "--by", "grace")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mount a disk on the folder of the results, or change how it is mounted."""
    folder = tmp_path / "results"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=True)

    def remount(options: str) -> Path:
        subprocess.run(["mount", "-o", f"remount,{options}", folder], check=True)
        return folder

    yield remount
    subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.mark.parametrize("kilobytes", [4, 16, 48, 80, 112])
def test_a_full_disk_costs_no_result(
    disk: Callable[[str], Path],
    batch: Callable[[], int],
    capsys: pytest.CaptureFixture[str],
    kilobytes: int,
) -> None:
    folder = disk(f"size={kilobytes}k")
    assert batch() == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(f"grader: cannot write {folder}")
    assert "make room on that disk" in said or "the disk is full, or failing" in said
    before = results_in(folder)
    disk("size=64m")
    assert batch() == 0
    after = results_in(folder)
    assert list(after) == [ADA, BOB]
    assert before == {name: after[name] for name in before}


def test_on_a_disk_that_can_only_be_read_nothing_is_changed_and_all_can_be_seen(
    disk: Callable[[str], Path], batch: Callable[[], int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = disk("rw")
    assert batch() == 0
    disk("ro")
    assert batch() == 1
    told = [capsys.readouterr().err]
    told.append(refused(capsys, "adjust", folder, ADA, *ADJUST))
    told.append(refused(capsys, "review", folder))
    told.append(refused(capsys, "regrade", folder, ADA))
    told.append(refused(capsys, "withdraw", folder, "dfs.visit-order", "--yes", "--reason", "x"))
    told.append(refused(capsys, "export", "junit", folder, "--out", folder / "junit.xml"))
    for said in told:
        assert said.startswith(f"grader: cannot write {folder}/")
        assert "Read-only file system; this disk can only be read: name a place on another" in said
    for command in (
        ("show", folder / ADA),
        ("diff", folder, folder),
        ("export", "junit", folder, "--out", tmp_path / "junit.xml"),
        ("export", "moodle", folder, "--out", tmp_path / "moodle.csv", "--anyway"),
    ):
        assert main([str(word) for word in command]) == 0
