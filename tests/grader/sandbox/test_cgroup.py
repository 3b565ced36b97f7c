"""What graders that were killed left behind is swept away, by however many at once."""

from __future__ import annotations

from pathlib import Path

from grader.sandbox.cgroup import list_processes, sweep
from tests.grader.sandbox.test_owner import OVER


def test_a_group_that_another_grader_takes_away_meanwhile_is_no_mistake(tmp_path: Path) -> None:
    group = tmp_path / f"maze-grader-{OVER['no process has the number']}-0a"
    group.mkdir()  # without a list of processes, as one that is gone has none
    sweep(tmp_path)
    assert not group.exists()


def test_processes_that_are_not_seen_from_here_are_none(tmp_path: Path) -> None:
    (tmp_path / "cgroup.procs").write_text("0\n12\n")
    assert list_processes(tmp_path) == [12], "0 would be the grader's own process group"
