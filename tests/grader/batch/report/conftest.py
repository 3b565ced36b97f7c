"""Results of a small class, of every kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.batch.journal import JournalRow
from grader.batch.report.rows import rows_of
from grader.exports.grades_csv import Row
from grader.intake.class_listing import HandIn

EVIL = '<script>alert("x")</script>'


def result(score: float, *, status: str = "passed", misconception: str = "", **more: Any) -> dict[str, Any]:
    check = {
        "id": "dfs.no-way",
        "title": f"None {EVIL}",
        "status": status,
        "score": score,
        "max_score": 100.0,
        "misconception": {"id": misconception} if misconception else None,
        "message": "",
        "hint": "",
        "visibility": "public",
        "counterexample": None,
    }
    exercise = {"id": "dfs", "title": "DFS", "score": score, "max_score": 100.0, "checks": [check]}
    return {
        "schema": 1,
        "submission": "x",
        "sandbox": "fake",
        "score": score,
        "max_score": 100.0,
        "notes": [],
        "exercises": [exercise],
        "timing": {"calls": 1.0},
        **more,
    }


def leave_unwritten(content: dict[str, Any], *files: str) -> dict[str, Any]:
    """Make all checks of a result fail with the skeleton's exception, raised in calls of these files."""
    trace = [{"file": file, "line": 9, "function": "solve", "code": ""} for file in files or ("dfs.py",)]
    fault = {"kind": "NotImplementedError", "message": "", "stage": "call", "trace": trace}
    for exercise in content["exercises"]:
        for check in exercise["checks"]:
            case = {"maze": None, "expected": None, "actual": {"text": "raised", "fault": fault}}
            check.update(status="crashed", score=0.0, counterexample=case)
        hidden = {**exercise["checks"][0], "id": f"{exercise['id']}.hidden", "visibility": "hidden"}
        exercise["checks"].append({**hidden, "status": "failed", "counterexample": None, "max_score": 0.0})
    return content


RESULTS: dict[str, tuple[str, dict[str, Any]]] = {
    "ada": ("graded", result(100.0)),
    "bob": ("graded", result(0.0, status="failed", misconception="dfs.west-first")),
    "cleo": ("graded", result(0.0, status="violation", misconception="dfs.west-first")),
    "dan": ("fault", result(0.0, status="skipped", fault="no engine")),
    "eve": ("refused", result(0.0, status="missing", notes=["The zip is encrypted."])),
    "fay": ("graded", result(100.0, timing={"calls": 20.0})),
    "gus": ("graded", result(80.0, late={"days": 2})),
    "=hal()": ("graded", result(100.0, late={"marked": True})),
}


@pytest.fixture
def rows(tmp_path: Path) -> list[Row]:
    entries = {}
    for name, (status, content) in RESULTS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.json").write_text(json.dumps(content))
        entries[name] = JournalRow(name, "key", status, 1.0, "no engine" if status == "fault" else "")  # type: ignore[arg-type]
    hand_ins = [HandIn(name, (), student=name) for name in [*RESULTS, "zoe"]]
    return list(rows_of(tmp_path, hand_ins, entries, 30.0))
