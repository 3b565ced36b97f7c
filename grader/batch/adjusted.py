"""The layer of people's decisions over the results that the grader made."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

from grader.batch.ledger import Decision
from grader.model import AdjustedJson, ResultsJson


def automatic(results: ResultsJson) -> ResultsJson:
    """The results as the grader made them."""
    if "adjusted" not in results:
        return results
    plain = deepcopy(results)
    before = plain.pop("adjusted")["before"]
    plain["score"] = before["score"]
    for exercise in plain["exercises"]:
        exercise["score"] = before["exercises"].get(exercise["id"], exercise["score"])
        for check in exercise["checks"]:
            check["score"] = before["checks"].get(check["id"], check["score"])
    if "late" in plain and before["late"] is not None:
        plain["late"]["score_before"] = before["late"]
    return plain


def adjusted(results: ResultsJson, decisions: Sequence[Decision]) -> ResultsJson:
    """The results with what people decided; those of the grader where they decided nothing."""
    plain = automatic(results)
    if not decisions or "fault" in plain:
        return plain
    made = deepcopy(plain)
    layer: AdjustedJson = {
        "before": {
            "score": plain["score"],
            "late": plain.get("late", {}).get("score_before"),
            "exercises": {},
            "checks": {},
        },
        "exempt": decisions[-1].action == "exempt",
        "decisions": [_told(decision) for decision in decisions],
    }
    stale = [each.automatic for each in decisions if each.automatic != plain["score"]]
    if stale:
        layer["conflict"] = {"decided_on": stale[0], "now": plain["score"]}
    for decision in decisions:
        if decision.action == "check":
            _add(made, layer, decision)
        elif decision.action == "score":
            made["score"] = round(decision.points, 2)
    return {**made, "adjusted": layer}


def _told(decision: Decision) -> dict[str, str]:
    what = {"check": f"{decision.check} {decision.points:+g}", "score": f"{decision.points:g}"}
    return {
        "when": decision.when,
        "who": decision.who,
        "what": what.get(decision.action, decision.action),
        "reason": decision.reason,
        "comment": decision.comment,
    }


def _add(results: ResultsJson, layer: AdjustedJson, decision: Decision) -> None:
    """Give a check more points or less, within what it is worth; late work keeps its share of them."""
    before = layer["before"]
    for exercise in results["exercises"]:
        for check in exercise["checks"]:
            if check["id"] != decision.check:
                continue
            points = round(min(check["max_score"], max(0.0, check["score"] + decision.points)), 2)
            gained = points - check["score"]
            before["checks"].setdefault(check["id"], check["score"])
            before["exercises"].setdefault(exercise["id"], exercise["score"])
            check["score"] = points
            exercise["score"] = round(exercise["score"] + gained, 2)
            _add_to_score(results, gained)


def _add_to_score(results: ResultsJson, gained: float) -> None:
    late = results.get("late", {})
    before = late.get("score_before")
    share = results["score"] / before if before else 1.0
    if before is not None:
        late["score_before"] = round(before + gained, 2)
    results["score"] = round(min(results["max_score"], max(0.0, results["score"] + gained * share)), 2)
