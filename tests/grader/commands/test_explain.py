"""``grader explain`` tells what is wrong with a course before anybody is graded."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests.grader.command import grader
from tests.grader.exercises.folders.made_folders import COUNT, JUDGE, TEXTS, dead_ends
from tests.grader.release.unproven import unproven as unproven

pytestmark = pytest.mark.processes

WRONG = "def count_dead_ends(maze): return 0"


@pytest.mark.usefixtures("unproven")
def test_what_gets_points_that_it_must_not_get_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("grader.course.exercise_trial.SLOW_SECONDS", 0.0)
    samples = {
        "right/wrong.py": WRONG,
        "right/good.py": COUNT,
        "wrong/right.py": COUNT,
        "wrong/bad.py": WRONG,
    }
    judge = f"import time\n\n{dedent(JUDGE)}\ndef later():\n    time.sleep(1)\n"
    files = {"skeleton.py": COUNT, "judge.py": judge, "texts/en.toml": TEXTS, **samples}
    done = grader("explain", "--rubric", dead_ends(tmp_path, files), "--sandbox", "process")
    _, _, told = done.stdout.partition("\n\nMend this before anybody is graded:\n")
    release, sleeps, slow, skeleton, wrong, right = told.strip().split("\n- ")
    assert release.startswith("- grader release refuses it, since the kit would reveal secrets:\n")
    assert "count_dead_ends is implemented, although students are to write it" in release
    assert sleeps.endswith(": sleep makes whoever reads the course wait, at each call: take it out")
    assert slow.startswith(f"{tmp_path}/dead_ends/judge.py: ")
    assert slow.endswith(" s for each submission")
    assert skeleton == "template earned 100 in dead_ends"
    assert wrong == "wrong--dead_ends-right lost nothing in dead_ends"
    assert right.startswith("right--dead_ends-wrong lost dead_ends.rooms on ")
    assert done.returncode == 1
