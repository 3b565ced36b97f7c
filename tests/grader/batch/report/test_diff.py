"""What two runs over a class found, side by side."""

from __future__ import annotations

import json
from pathlib import Path

from grader.batch.report.diff import compare
from tests.grader.batch.report.conftest import RESULTS, result


def test_diff_names_what_moved_and_why(tmp_path: Path) -> None:
    new = dict(RESULTS)
    new["ada"] = ("graded", result(0.0, status="timeout"))
    new["dan"] = ("graded", result(100.0))
    del new["fay"]
    worth = result(80.0, late={"days": 1, "percent": 10}, sandbox="other")
    worth["exercises"][0]["checks"][0]["max_score"] = 90.0
    new["gus"] = ("graded", worth)
    for folder, class_ in (("old", RESULTS), ("new", new)):
        for name, (_, content) in class_.items():
            path = tmp_path / folder / name / "results.json"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(content))
    assert compare(tmp_path / "old", tmp_path / "new").splitlines() == [
        "4 of 8 results moved",
        "ada: 100 -> 0",
        "  dfs.no-way: passed -> timeout (-100)",
        "dan: no mark -> 100",
        "  could not be graded before",
        "  dfs.no-way: skipped -> passed (+100)",
        "fay: 100 -> no mark",
        "  is not there any more",
        "gus: 80 -> 80",
        "  dfs.no-way: passed, worth 100 -> 90",
        "  late: 2 days, 0 % off -> 1 day, 10 % off",
        "  sandbox: fake -> other",
    ]
    assert compare(tmp_path / "old", tmp_path / "old") == "0 of 8 results moved"
