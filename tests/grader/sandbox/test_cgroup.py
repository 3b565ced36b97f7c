"""What graders that were killed left behind is swept away, by however many at once."""

from __future__ import annotations

import os
from pathlib import Path

from grader.sandbox.cgroup import sweep

_NOBODY = 2**22 + 1
"""No process has this number: the kernel gives none above 4,194,304."""


def test_a_group_that_another_grader_takes_away_meanwhile_is_no_mistake(tmp_path: Path) -> None:
    group = tmp_path / f"maze-grader-{_NOBODY}-0a"
    group.mkdir()  # without a list of processes, as one that is gone has none
    sweep(tmp_path)
    assert not group.exists()


def test_the_group_of_a_grader_that_runs_stays(tmp_path: Path) -> None:
    group = tmp_path / f"maze-grader-{os.getpid()}-0a"
    group.mkdir()
    sweep(tmp_path)
    assert group.is_dir()
