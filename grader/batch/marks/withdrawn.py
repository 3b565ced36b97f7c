"""The lowest layer over the grader's marks: checks that were withdrawn for the whole class.

A withdrawn check gives all its points to everybody who handed in its exercise. It changes nothing if the
exercise is missing, unchanged from the template, or got zero because a decisive check failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy

from grader.batch.marks.ledger import Decision
from grader.model import BeforeWithdrawnJson, ResultsJson, WithdrawnJson
from grader.points import round_points
from grader.results import is_unwritten

_NOTHING_IN_IT = ("missing", "skipped")


def with_withdrawn(results: ResultsJson, withdrawals: Mapping[str, Decision]) -> ResultsJson:
    """Withdraw exactly these checks; ``results`` must not have a higher layer."""
    made = _restored(results)
    layer: WithdrawnJson = {
        "before": {"score": made["score"], "exercises": {}, "checks": {}},
        "checks": {},
    }
    gained = 0.0
    for exercise in made["exercises"]:
        if exercise.get("zeroed") or is_unwritten(exercise):
            continue
        for check in exercise["checks"]:
            decision = withdrawals.get(check["id"])
            if decision is None or check["status"] in _NOTHING_IN_IT:
                continue
            layer["checks"][check["id"]] = {
                "when": decision.when,
                "who": decision.who,
                "reason": decision.reason,
            }
            layer["before"]["checks"][check["id"]] = check["score"]
            layer["before"]["exercises"].setdefault(exercise["id"], exercise["score"])
            more = check["max_score"] - check["score"]
            check["score"] = check["max_score"]
            exercise["score"] = round_points(exercise["score"] + more)
            gained += more
    if not layer["checks"]:
        return made
    made["score"] = round_points(min(made["max_score"], made["score"] + gained))
    return {**made, "withdrawn": layer}


def _restored(results: ResultsJson) -> ResultsJson:
    """Return a copy of the results without this layer."""
    plain = deepcopy(results)
    if "withdrawn" not in plain:
        return plain
    before = plain.pop("withdrawn")["before"]
    plain["score"] = before["score"]
    put_back(plain, before)
    return plain


def put_back(results: ResultsJson, before: BeforeWithdrawnJson) -> None:
    """Restore the scores of exercises and checks from before a layer."""
    for exercise in results["exercises"]:
        exercise["score"] = before["exercises"].get(exercise["id"], exercise["score"])
        for check in exercise["checks"]:
            check["score"] = before["checks"].get(check["id"], check["score"])
