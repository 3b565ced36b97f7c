"""One submission of a class graded once more, and nobody else."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from tests.grader.batch.conftest import Grader
from tests.grader.command import grader, grader_apart

FILE = "solvers/dfs.py"


@pytest.mark.parametrize("pseudonyms", [False, True])
def test_nobody_else_is_graded_and_who_was_forgotten_stays_away(
    tmp_path: Path, class_folder: Path, rubric: Path, bubblewrap: str, pseudonyms: bool
) -> None:
    mine, out, key = tmp_path / "class", tmp_path / "out", tmp_path / "key.csv"
    for name in ("ada", "bob", "cleo"):
        shutil.copytree(class_folder / name, mine / name)
    more = ("--pseudonyms", str(key)) if pseudonyms else ()
    batch = Grader(mine, out, rubric, "--sandbox", bubblewrap, *more)
    assert batch.finish()[0] == 0
    rows = list(csv.DictReader(key.read_text(encoding="utf-8").splitlines())) if pseudonyms else []
    called = {row["submission"]: row["pseudonym"] for row in rows} or {name: name for name in ("ada", "cleo")}
    assert grader("forget", out, called.get("bob", "bob")).returncode == 0
    for name in ("ada", "cleo"):
        (mine / name / FILE).write_text("class DFS: ...\n")
    shutil.copytree(class_folder / "dan", mine / "dan")
    before = len(batch.log())
    done = grader_apart("regrade", out, called["ada"])
    assert done.returncode == 0, done.stderr
    events = [each for each in batch.log()[before:] if "submission" in each]
    assert {(each["event"], each["submission"]) for each in events} == {("graded", called["ada"])}
    assert "unchanged" not in done.stdout
    scores = {path.parent.name: json.loads(path.read_bytes())["score"] for path in out.glob("*/results.json")}
    assert scores.keys() == {called["ada"], called["cleo"]}
    assert scores[called["ada"]] == 50
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        assert {row["submission"] for row in csv.DictReader(file)} == scores.keys()
    if pseudonyms:
        assert "bob" not in key.read_text(encoding="utf-8")
