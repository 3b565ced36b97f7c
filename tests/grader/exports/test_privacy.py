"""What students may see where results are handed on: no process is started, so that each round holds it."""

from __future__ import annotations

import json

from grader.exports.gradescope import format_results
from tests.grader.exports.results_json import check, results


def test_gradescope_knows_tests_scores_and_who_may_see_them() -> None:
    hidden = check("b", "failed", visibility="hidden", hint="Look.", counterexample={"maze": "+-+"})
    data = json.loads(format_results(results(check("a", "passed"), hidden)))
    assert data["score"] == 5.0
    assert [(t["name"], t["score"], t["max_score"], t["status"], t["visibility"]) for t in data["tests"]] == [
        ("DFS: About a", 5.0, 5.0, "passed", "visible"),
        ("DFS: About b", 0.0, 5.0, "failed", "after_published"),
    ]
    assert data["execution_time"] == 1
    assert data["tests"][1]["output"] == "It failed.\n\n+-+\n\nLook."
