"""What a course's own exercise is given beside the maze, as its kit tells a student of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.course.plan import load_plan
from grader.release.kit import kit_of
from tests.docs.pages import ROOT
from tests.grader.release.test_kit import maze
from tests.grader.release.unproven import unproven as unproven

TOUR = "def tour(maze, stops, other):\n    return stops\n"


@pytest.mark.processes
@pytest.mark.ci
def test_a_failure_shows_what_is_given_and_the_command_that_follows_it(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tests/golden/given/keys", tmp_path / "course")
    (tmp_path / "mazes").mkdir()
    for name, content in kit_of(load_plan(tmp_path / "course/rubric.yaml", explain=False)).files.items():
        path = tmp_path / "kit" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    folder = tmp_path / "kit/student_template"
    (folder / "tour.py").write_text(TOUR, encoding="utf-8")
    done = maze(tmp_path / "kit", "check", "tour", "--html")
    assert done.returncode == 0, done.stderr
    assert "\n    stops: 1 (" in done.stdout
    assert '--algorithm tour --given "stops=[(' in done.stdout
    page = (folder / "check.html").read_text(encoding="utf-8")
    assert ">A1</text>" in page
    assert "<code>other</code>" in page
    command = done.stdout.partition("Try it: maze ")[2].partition("\n")[0]
    assert "failed/tour-1.txt" in command
