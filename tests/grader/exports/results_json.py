"""Small results, as an export reads them."""

from __future__ import annotations

from typing import Any, cast

from grader.model import CheckJson, ExerciseJson, GradedSubmission, ResultsJson, Status
from grader.results import as_data


def check(id_: str, status: Status, **more: Any) -> CheckJson:
    passed = status == "passed"
    made: CheckJson = {
        "id": id_,
        "title": f"About {id_}",
        "status": status,
        "score": 5.0 if passed else 0.0,
        "max_score": 5.0,
        "visibility": "public",
        "message": "" if passed else f"It {status}.",
        "hint": "",
        "misconception": None,
        "counterexample": None,
    }
    return cast(CheckJson, made | more)


def results(*checks: CheckJson, **more: Any) -> ResultsJson:
    exercise: ExerciseJson = {
        "id": "dfs",
        "title": "DFS",
        "score": 5.0,
        "max_score": 5.0,
        "zeroed": False,
        "checks": list(checks),
        "output": "",
        "gallery": [],
    }
    made: ResultsJson = {
        **as_data(GradedSubmission("ada", "docker", "", "", (), timing={"total": 1.4})),
        "notes": ["A note."],
        "score": 5.0,
        "max_score": 10.0,
        "exercises": [exercise],
    }
    return cast(ResultsJson, made | more)
