"""Disks that really are full, or really can only be read; what SQLite and the kernel make of it is theirs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.grader.batch.conftest import results_in
from tests.grader.faults.conftest import ADA, BOB

pytestmark = pytest.mark.usefixtures("nothing_is_run")


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
    disk: Callable[[str], Path], batch: Callable[[], int], capsys: pytest.CaptureFixture[str], kilobytes: int
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
