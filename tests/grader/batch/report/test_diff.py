"""What two runs over a class found, side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.batch.report.diff import compare
from grader.errors import InputError
from tests.grader.batch.report.conftest import RESULTS, result


def test_diff_names_what_moved_and_why(tmp_path: Path) -> None:
    new = dict(RESULTS)
    new["ada"] = ("graded", result(0.0, status="timeout"))
    new["dan"] = ("graded", result(100.0))
    del new["fay"]
    for folder, class_ in (("old", RESULTS), ("new", new)):
        for name, (_, content) in class_.items():
            path = tmp_path / folder / name / "results.json"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(content))
    assert compare(tmp_path / "old", tmp_path / "new").splitlines() == [
        "3 of 8 results moved",
        "ada: 100 -> 0",
        "  dfs.no-way: passed -> timeout (-100)",
        "dan: no mark -> 100",
        "  could not be graded before",
        "  dfs.no-way: skipped -> passed (+100)",
        "fay: 100 -> no mark",
        "  is not there any more",
    ]
    assert compare(tmp_path / "old", tmp_path / "old") == "0 of 8 results moved"
    with pytest.raises(InputError, match="expected a folder of results"):
        compare(tmp_path, tmp_path / "old")
