"""The ``grader`` command as people use it: what it prints, what it writes, how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.sandbox.base import BACKENDS
from grader.session import trials
from tests.grader.command import ROOT, grader
from tests.submissions.loader import Case

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def west_first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a DFS that goes West first, graded once for all tests."""
    folder = tmp_path_factory.mktemp("west-first")
    Case("wrong", "dfs-west-first-search").materialise(folder / "ada")
    done = grader("grade", folder / "ada", "--out", folder / "out", "--sandbox", "process")
    assert done.returncode == 0, done.stderr
    return folder


def test_no_hidden_maze_gets_out(west_first: Path) -> None:
    from grader.course.plan import load_plan

    texts = [(west_first / "out" / name).read_text() for name in ("results.json", "feedback.html")]
    for maze in load_plan().rubric.mazes:
        if maze.visibility == "hidden":
            shown = json.dumps(maze.text)[1:-1]
            assert not any(maze.text in text or shown in text or maze.name in text for text in texts)


def test_a_maze_is_saved_as_show_says(west_first: Path, tmp_path: Path) -> None:
    shown = grader("show", west_first / "out").stdout.splitlines()
    where = shown.index("     Try it yourself:")
    assert shown[where + 1 : where + 3] == [
        f"       grader show {west_first / 'out'} --maze dfs.visit-order > dfs-visit-order.txt",
        "       maze solve dfs-visit-order.txt --algorithm DFS --visited --submission DIR",
    ]
    saved = grader("show", west_first / "out", "--maze", "dfs.visit-order")
    assert saved.stdout == "+-+-+-+\n|  S E|\n+-+-+-+\n"
    (tmp_path / "dfs-visit-order.txt").write_text(saved.stdout)
    solve = [
        sys.executable,
        "-m",
        "lab.cli",
        "solve",
        "dfs-visit-order.txt",
        "--algorithm",
        "DFS",
        "--visited",
    ]
    again = subprocess.run(
        [*solve, "--submission", west_first / "ada"], cwd=tmp_path, capture_output=True, text=True,
        timeout=300, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert "Visited: (1, 2) (1, 1) (1, 3)" in again.stdout, again.stderr


def test_a_fault_of_the_grader_is_shown_as_no_mark(west_first: Path, tmp_path: Path) -> None:
    results = json.loads((west_first / "out" / "results.json").read_bytes())
    (tmp_path / "results.json").write_text(json.dumps({**results, "score": 0.0, "fault": "no engine"}))
    shown = grader("show", tmp_path)
    assert shown.returncode == 0
    assert shown.stdout == "ada: no mark, since the grader failed on it: no engine. Grade it again.\n"


def test_staff_see_the_hidden_maze_and_how_close_the_limits_came(west_first: Path) -> None:
    from grader.course.plan import load_plan

    saved = grader("show", west_first / "out", "--maze", "dfs.hidden-mazes").stdout.rstrip("\n")
    assert saved in [maze.text for maze in load_plan().rubric.mazes if maze.visibility == "hidden"]
    page = (west_first / "out" / "staff.html").read_text()
    assert "For staff only" in page
    assert saved in page
    assert "For staff only" in grader("show", west_first / "out", "--staff").stdout
    margins = json.loads((west_first / "out" / "staff.json").read_bytes())["margins"]
    assert all(0 < margin["seconds"] < margin["limit"] for margin in margins.values())


def test_results_are_for_their_owner_only(west_first: Path) -> None:
    written = [path for path in (west_first / "out").rglob("*") if path.is_file()]
    assert {path.name for path in written} >= {"results.json", "feedback.html", "staff.json"}
    assert [path.name for path in written if path.stat().st_mode & 0o077] == []


@pytest.mark.parametrize(("words", "others"), [((), 0), (("--shared",), 0o044)])
def test_others_read_what_is_written_where_that_is_asked_for(
    words: tuple[str, ...], others: int, west_first: Path, tmp_path: Path
) -> None:
    before = os.umask(0o022)
    try:
        done = grader("export", "junit", west_first / "out", "--out", tmp_path / "junit.xml", *words)
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(before)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "junit.xml").stat().st_mode & 0o077 == others


def test_doctor_names_every_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "broken", lambda *_: {})  # the promises themselves: sandbox/test_trials.py
    done = grader("doctor")
    assert done.returncode == 0
    assert all(name in done.stdout for name in (*BACKENDS, "auto"))


PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Linux takes the memory of who starts a process for its own: a small one has to start the grader."""


def test_answers_as_long_as_they_may_be_do_not_fill_the_graders_memory(tmp_path: Path) -> None:
    eve, out = tmp_path / "eve", tmp_path / "out"
    Case("hostile", "answers-that-fill-the-grader").materialise(eve)
    command = [sys.executable, "-m", "grader", "grade", str(eve), "--out", str(out), "--sandbox", "process"]
    done = subprocess.run(
        [sys.executable, "-c", PEAK, *command], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert (out / "results.json").is_file()
    assert int(done.stdout) < 1_000_000  # kilobytes; all answers together would take more than four million
