"""Every check of everybody in one table."""

from __future__ import annotations

import csv
from pathlib import Path

from grader.cli import main
from tests.grader.batch.marked_class import out, record, report, results_of
from tests.grader.batch.report.conftest import leave_unwritten

__all__ = ["out"]
"""Fixture of the neighbour."""


def test_a_line_for_each_check_of_each_submission(out: Path, tmp_path: Path) -> None:
    failed = results_of(40.0, status="failed", misconception="dfs.west-first")
    failed["exercises"][0]["checks"][1]["message"] = "=DFS went west; and east"
    record(out, "bob_2", failed)
    record(out, "cleo_3", leave_unwritten(results_of(0.0)))
    report(out)
    assert main(["withdraw", str(out), "dfs.b", "--yes", "--reason", "x", "--by", "grace"]) == 0
    assert main(["export", "checks", str(out), "--out", str(tmp_path / "c.csv"), "--anyway"]) == 0
    with (tmp_path / "c.csv").open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert [(line["submission"], line["check"]) for line in lines] == [
        ("ada_1", "dfs.a"),
        ("ada_1", "dfs.b"),
        ("bob_2", "dfs.a"),
        ("bob_2", "dfs.b"),
        ("cleo_3", "dfs.a"),
        ("cleo_3", "dfs.b"),
        ("cleo_3", "dfs.hidden"),
    ]
    assert lines[3] == {
        "submission": "bob_2",
        "student": "bob",
        "id": "2",
        "exercise": "dfs",
        "check": "dfs.b",
        "visibility": "public",
        "status": "failed",
        "score": "50",
        "max_score": "50",
        "withdrawn": "yes",
        "misconception": "dfs.west-first",
        "message": "'=DFS went west; and east",
    }
    assert {line["status"] for line in lines[4:]} == {"unwritten"}
    assert {(line["status"], line["message"]) for line in lines[:2]} == {("passed", "")}
