"""What a grader that was killed leaves is told from what another one has that lives."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from grader.errors import SandboxError
from grader.sandbox import cgroup, contents, process
from grader.sandbox.cgroup import belongs_to_ended, identity, is_over, own_name

OWN = identity(os.getpid())
SPACE, BOOT, NUMBER, STARTED = OWN.split("-")
NOBODY = 2**22 + 1
"""No process has this number: the kernel gives none above 4,194,304."""
OVER = {
    "no process has the number": f"{SPACE}-{BOOT}-{NOBODY}-{STARTED}",
    "a later process has the number": f"{SPACE}-{BOOT}-{NUMBER}-1",
    "before the machine was started": f"{SPACE}-0a-{NUMBER}-{STARTED}",
}
NOT_OVER = {
    "itself": OWN,
    "in another container": f"0a-{BOOT}-{NOBODY}-{STARTED}",
    "nobody's": "",
    "a bare number": str(NOBODY),
}


@pytest.mark.parametrize("who", OVER)
def test_who_is_no_more(who: str) -> None:
    assert is_over(OVER[who])
    assert belongs_to_ended(f"some-thing-{OVER[who]}-random")


@pytest.mark.parametrize("who", NOT_OVER)
def test_who_may_live(who: str) -> None:
    assert not is_over(NOT_OVER[who])
    assert not belongs_to_ended(f"some-thing-{NOT_OVER[who]}-random")


def test_the_name_of_what_is_ones_own_is_of_this_process() -> None:
    assert f"{own_name('thing')}random" == f"thing-{OWN}-random"


def places(what: str, folder: Path) -> dict[str, Path]:
    """What a grader may have left."""
    return {who: folder / f"{what}-{name}-0a" for who, name in {**OVER, **NOT_OVER}.items()}


def kept(found: dict[str, Path]) -> set[str]:
    return {who for who, path in found.items() if path.exists()}


def test_groups_scratch_folders_and_unfinished_folders_that_are_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(contents, "cache_folder", lambda: tmp_path)
    made = [places(what, tmp_path) for what in ("maze-grader", "maze-grader-box", ".box-0a-cpython-313")]
    for path in (path for found in made for path in found.values()):
        path.mkdir()
    cgroup.sweep(tmp_path)
    process._sweep()
    with pytest.raises(SandboxError):
        contents.cached_folder("another", lambda work: (work / "nowhere" / "file").write_text(""))  # type: ignore[arg-type]
    assert [kept(found) for found in made] == [set(NOT_OVER)] * 3


def test_processes_that_are_not_seen_from_here_are_none(tmp_path: Path) -> None:
    (tmp_path / "cgroup.procs").write_text("0\n12\n")
    assert cgroup.list_processes(tmp_path) == [12], "0 would be the grader's own process group"
